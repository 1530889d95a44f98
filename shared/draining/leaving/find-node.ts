import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { instanceIdOf, likelyNodeNames } from '../node-names.ts';
import type { LeavingSubject, LeavingWorld } from './world.ts';

/**
 * Finds the Node of an instance. A Node counts only by its providerID: its name may be the private DNS name, the instance
 * id or anything else. The likely names are asked for first, the list of all nodes is the fallback.
 *
 * @returns undefined when the whole list has no such Node; every failed look-up rejects and is no such answer.
 */
export async function findNode(world: LeavingWorld, subject: LeavingSubject): Promise<Node | undefined> {
  return (await findLikelyNode(world, subject)) ?? (await fromTheList(world, subject.instanceId));
}

/** The Node under one of its likely names: for where a miss does no harm, since the sweep reads the whole list anyway. */
export async function findLikelyNode(
  world: LeavingWorld,
  subject: LeavingSubject,
): Promise<Node | undefined> {
  const { instanceId } = subject;
  const known = world.memory.recall(instanceId)?.node;
  if (known) return known;
  for (const name of await namesOf(world, subject)) {
    const node = await world.cluster.getNode(name);
    if (node && belongsTo(node, instanceId)) return remembered(world, instanceId, node);
  }
  return undefined;
}

async function namesOf(
  world: LeavingWorld,
  { instanceId, notices }: LeavingSubject,
): Promise<readonly string[]> {
  const told = notices.flatMap(({ nodeName }) => (nodeName === undefined ? [] : [nodeName]));
  if (told.length > 0) return told;
  const ec2 = await world.ec2.describeInstance(instanceId);
  return likelyNodeNames({ instanceId, ...ec2 });
}

async function fromTheList(world: LeavingWorld, instanceId: string): Promise<Node | undefined> {
  const nodes = await world.cluster.listNodes();
  const node = nodes.find((candidate) => belongsTo(candidate, instanceId));
  return node && remembered(world, instanceId, node);
}

function remembered(world: LeavingWorld, instanceId: string, node: Node): Node {
  world.memory.remember(instanceId, { node });
  return node;
}

const belongsTo = (node: Node, instanceId: string): boolean =>
  instanceIdOf(node.spec?.providerID) === instanceId;

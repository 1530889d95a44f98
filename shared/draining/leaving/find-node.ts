import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { instanceIdOf, likelyNodeNames } from '../node-names.ts';
import type { LeavingWorld } from './world.ts';

/**
 * Finds the Node of an instance. A Node counts only by its providerID: its name may be the private DNS name, the instance
 * id or anything else. The likely names are asked for first, the list of all nodes is the fallback.
 *
 * @returns undefined when the whole list has no such Node; every failed look-up rejects and is no such answer.
 */
export async function findNode(world: LeavingWorld, instanceId: string): Promise<Node | undefined> {
  const known = world.memory.recall(instanceId)?.node;
  if (known) return known;
  const node = (await byLikelyName(world, instanceId)) ?? (await fromTheList(world, instanceId));
  if (node) world.memory.remember(instanceId, { node });
  return node;
}

async function byLikelyName(world: LeavingWorld, instanceId: string): Promise<Node | undefined> {
  const ec2 = await world.ec2.describeInstance(instanceId);
  for (const name of likelyNodeNames({ instanceId, ...ec2 })) {
    const node = await world.cluster.getNode(name);
    if (node && belongsTo(node, instanceId)) return node;
  }
  return undefined;
}

async function fromTheList(world: LeavingWorld, instanceId: string): Promise<Node | undefined> {
  const nodes = await world.cluster.listNodes();
  return nodes.find((node) => belongsTo(node, instanceId));
}

const belongsTo = (node: Node, instanceId: string): boolean =>
  instanceIdOf(node.spec?.providerID) === instanceId;

import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { instanceIdOf, likelyNodeNames } from '../node-names.ts';
import { leavesAlone } from './alone.ts';
import type { LeaveTerms } from './terms.ts';
import type { LeavingSubject, LeavingWorld } from './world.ts';

/**
 * Finds the Node of an instance. A Node counts only by its providerID: its name may be the private DNS name, the instance
 * id or anything else. The likely names are asked for first, the list of all nodes is the fallback.
 *
 * @returns undefined when the whole list has no such Node; every failed look-up rejects and is no such answer.
 */
export async function findNode(
  world: LeavingWorld,
  subject: LeavingSubject,
  terms: LeaveTerms,
): Promise<Node | undefined> {
  const likely = await findLikelyNode(world, subject, nextToLeave(terms));
  return likely ?? (await fromTheList(world, subject.instanceId));
}

/**
 * The Node under one of its likely names: for where a miss does no harm, since the sweep reads the whole list anyway. EC2 is
 * asked for the names of `others` in the same call, if it has to be asked.
 */
export async function findLikelyNode(
  world: LeavingWorld,
  subject: LeavingSubject,
  others: readonly string[] = [],
): Promise<Node | undefined> {
  const { instanceId } = subject;
  const known = world.memory.recall(instanceId)?.node ?? (await findMarkedNode(world, subject));
  if (known) return known;
  for (const name of await namesOf(world, subject, others)) {
    const node = await world.cluster.getNode(name);
    if (node && belongsTo(node, instanceId)) return remembered(world, instanceId, node);
  }
  return undefined;
}

/** What comes back was mostly marked, by this Lambda or another, and those that come back together are found by one request. */
async function findMarkedNode(
  world: LeavingWorld,
  { instanceId, redelivered = false }: LeavingSubject,
): Promise<Node | undefined> {
  if (!redelivered) return undefined;
  const node = await world.cluster.getMarkedNode(instanceId);
  return node && belongsTo(node, instanceId) ? remembered(world, instanceId, node) : undefined;
}

async function namesOf(
  world: LeavingWorld,
  { instanceId, notices }: LeavingSubject,
  others: readonly string[],
): Promise<readonly string[]> {
  const told = notices.flatMap(({ nodeName }) => (nodeName === undefined ? [] : [nodeName]));
  if (told.length > 0) return told;
  const known = world.memory.namesOf(instanceId);
  if (known) return known;
  const [names = []] = await Promise.all([instanceId, ...others].map((id) => askForNames(world, id)));
  return names;
}

async function askForNames({ ec2, memory }: LeavingWorld, instanceId: string): Promise<readonly string[]> {
  const instance = await ec2.describeInstance(instanceId);
  const names = likelyNodeNames({ instanceId, ...instance });
  if (instance?.privateDnsName) memory.rememberNames(instanceId, names);
  return names;
}

/** What EC2 takes in one call, less one. */
const mostOthers = 99;

/**
 * Where one leaves alone the others of its group mostly follow one by one (a rolling replacement), and what EC2 is asked
 * for them now spares each of them its own call. Nobody waits for that who has to hurry.
 */
function nextToLeave({ instance, group, mustHurry }: LeaveTerms): readonly string[] {
  if (mustHurry || !leavesAlone(group, instance.instanceId)) return [];
  return group.instances
    .filter(
      ({ lifecycleState, instanceId }) =>
        lifecycleState === 'InService' && instanceId !== instance.instanceId,
    )
    .slice(0, mostOthers)
    .map(({ instanceId }) => instanceId);
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

import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { again, done, type Outcome } from '../../lifecycle/outcome.ts';
import { cordonPatch, uncordonPatch } from '../cordon.ts';
import { type LeavingMark, readLeavingMark } from '../leaving-mark.ts';
import { findLikelyNode } from './find-node.ts';
import type { Sight } from './sight.ts';
import type { LeavingSubject, LeavingWorld } from './world.ts';

/** EC2 is eventually consistent: an id that it does not know counts as gone when it is unknown twice, so far apart. */
const missingForSeconds = 300;
/** A mark is this much past its deadline before it counts as left behind. */
const leftoverAfterSeconds = 300;

/** Deletes the Node of an instance that is gone, if the instance was ours: its group is managed, or the Node bears our mark. */
export async function removeNode(
  world: LeavingWorld,
  subject: LeavingSubject,
  { seen, reason }: { readonly seen: Sight; readonly reason: string },
): Promise<Outcome> {
  const node = await findLikelyNode(world, subject);
  if (!node) return done(`${reason}, and no node has one of its likely names`);
  const isOurs = seen.group !== undefined || markedAs(node) !== undefined;
  if (!isOurs)
    return done(`${reason}, but nothing shows that node ${nameOf(node)} was ours: it is left alone`);
  return await deleteNode(world, { instanceId: subject.instanceId, node, reason });
}

/** Nobody knows the instance. Its Node is deleted only if that is still so minutes later; when it began stands on the Node. */
export async function lookAgainBeforeGone(world: LeavingWorld, subject: LeavingSubject): Promise<Outcome> {
  const { instanceId } = subject;
  const node = await findLikelyNode(world, subject);
  if (!node) return done('nobody knows the instance, and no node has one of its likely names');
  const mark = markedAs(node);
  if (!mark) return done(`nobody knows the instance, and nothing shows that node ${nameOf(node)} was ours`);
  const now = world.clock.now();
  if (mark.missingSince === undefined) {
    const patch = cordonPatch(node, { ...mark, missingSince: new Date(now).toISOString() });
    if (patch)
      world.memory.remember(instanceId, { node: await world.cluster.patchNode(nameOf(node), patch) });
    return again(missingForSeconds, 'nobody knows the instance; if that stays so, its node is deleted');
  }
  const leftSeconds = missingForSeconds - (now - Date.parse(mark.missingSince)) / 1000;
  if (leftSeconds > 0)
    return again(Math.ceil(leftSeconds), 'nobody knows the instance; not for long enough yet');
  return await deleteNode(world, { instanceId, node, reason: 'nobody has known the instance for minutes' });
}

/**
 * A Node that bears our mark although its instance stays (a notice that came to nothing): takes back the cordon and
 * whatever else is ours, once the mark is well past its deadline. Only the sweep asks for that.
 */
export async function restoreIfLeftover(
  world: LeavingWorld,
  subject: LeavingSubject,
): Promise<Outcome | undefined> {
  if (!subject.notices.some((notice) => notice.cause === 'swept')) return undefined;
  const node = await findLikelyNode(world, subject);
  const mark = node && markedAs(node);
  if (!node || !mark) return undefined;
  const until = Date.parse(mark.until ?? mark.since);
  if (world.clock.now() < until + leftoverAfterSeconds * 1000) return undefined;
  const patch = uncordonPatch(node);
  if (patch) await world.cluster.patchNode(nameOf(node), patch);
  world.memory.forget(subject.instanceId);
  return done(`its instance stays: our cordon is taken back from node ${nameOf(node)}`);
}

async function deleteNode(
  world: LeavingWorld,
  { instanceId, node, reason }: { readonly instanceId: string; readonly node: Node; readonly reason: string },
): Promise<Outcome> {
  const answer = await world.cluster.deleteNode({ name: nameOf(node), uid: node.metadata?.uid ?? '' });
  world.memory.forget(instanceId);
  const words = answer === 'deleted' ? 'its node is deleted' : 'its node was gone';
  return done(`${reason}: ${words}`, { node: nameOf(node) });
}

const markedAs = (node: Node): LeavingMark | undefined => readLeavingMark(node.metadata?.annotations);

const nameOf = (node: Node): string => node.metadata?.name ?? '';

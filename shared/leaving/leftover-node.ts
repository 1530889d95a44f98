import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { isDenied } from '../draining/cluster-failure.ts';
import { cordonPatch, uncordonPatch } from '../draining/cordon.ts';
import { judgeMissing } from '../groups/missing-instance.ts';
import { type LeavingMark, leftoverAfterSeconds, readLeavingMark } from '../nodes/leaving-mark.ts';
import { again, done, type Outcome } from '../passes/outcome.ts';
import type { LeavingContext, LeavingSubject } from './context.ts';
import { patchNode } from './patch-node.ts';
import { removeNode } from './remove-node.ts';
import { searchLikelyNode } from './search-node.ts';

/** Deletes the Node of an instance that is gone, if it was ours: its group is managed, or the Node has our mark. */
export async function deleteOrphanedNode(
  context: LeavingContext,
  subject: LeavingSubject,
  { isManaged, reason }: { readonly isManaged: boolean; readonly reason: string },
): Promise<Outcome> {
  const node = await searchLikelyNode(context, subject);
  if (!node) return done(`${reason}, and no node has one of its likely names`);
  const isOurs = isManaged || markOf(node) !== undefined;
  if (!isOurs)
    return done(`${reason}, but nothing shows that node ${nameOf(node)} was ours: it is left alone`);
  return await deleteFor(context, { instanceId: subject.instanceId, node, reason });
}

/**
 * Neither Auto Scaling nor EC2 knows the instance. Its Node is deleted only if that is still so minutes later. The mark on
 * the Node remembers since when.
 */
export async function confirmMissing(context: LeavingContext, subject: LeavingSubject): Promise<Outcome> {
  const { instanceId } = subject;
  const missing = 'neither Auto Scaling nor EC2 knows the instance';
  const node = await searchLikelyNode(context, subject);
  if (!node) return done(`${missing}, and no node has one of its likely names`);
  const mark = markOf(node);
  if (!mark) return done(`${missing}, and nothing shows that node ${nameOf(node)} was ours`);
  const now = context.clock.now();
  return await unlessDenied(`${missing}, but node ${nameOf(node)} cannot be marked`, async () => {
    const { kind, secondsLeft } = judgeMissing({
      now,
      missingSince: mark.missingSince ? Date.parse(mark.missingSince) : undefined,
    });
    if (kind === 'new') await recordMissing(context, { node, mark, now });
    if (kind !== 'gone')
      return again(secondsLeft, `${missing}; if that is still so in ${secondsLeft} s, its node is deleted`);
    return await deleteFor(context, { instanceId, node, reason: `for minutes, ${missing}` });
  });
}

async function recordMissing(
  context: LeavingContext,
  { node, mark, now }: { readonly node: Node; readonly mark: LeavingMark; readonly now: number },
): Promise<void> {
  const patch = cordonPatch(node, { ...mark, missingSince: new Date(now).toISOString() });
  const patched = await patchNode(context, { instanceId: mark.instanceId, node, patch });
  context.memory.remember(mark.instanceId, { node: patched });
}

/**
 * A Node that has our mark although its instance stays: takes back the cordon and everything else of ours, once the mark is
 * well past its deadline. Only the sweep asks for that.
 */
export async function uncordonLeftoverNode(
  context: LeavingContext,
  subject: LeavingSubject,
): Promise<Outcome | undefined> {
  if (!subject.notices.some(({ cause }) => cause === 'swept')) return undefined;
  const node = await searchLikelyNode(context, subject);
  const mark = node && markOf(node);
  if (!node || !mark) return undefined;
  const until = Date.parse(mark.until ?? mark.since);
  if (context.clock.now() < until + leftoverAfterSeconds * 1000) return undefined;
  const patch = uncordonPatch(node);
  return await unlessDenied(
    `its instance stays, but our cordon is not taken back from node ${nameOf(node)}`,
    async () => {
      await patchNode(context, { instanceId: subject.instanceId, node, patch });
      return done(`its instance stays: our cordon is taken back from node ${nameOf(node)}`);
    },
  );
}

async function deleteFor(
  context: LeavingContext,
  { instanceId, node, reason }: { readonly instanceId: string; readonly node: Node; readonly reason: string },
): Promise<Outcome> {
  return await unlessDenied(`${reason}, but node ${nameOf(node)} is not deleted`, async () => {
    const answer = await removeNode(context, { instanceId, node });
    const result = answer === 'deleted' ? 'its node is deleted' : 'its node was gone';
    return done(`${reason}: ${result}`, { node: nameOf(node) });
  });
}

/** Nothing waits for these writes, so one that is denied is not tried again at once: the sweep asks for it again. */
async function unlessDenied(what: string, write: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await write();
  } catch (error) {
    if (!isDenied(error)) throw error;
    return done(`${what}: ${messageOf(error)}`);
  }
}

const markOf = ({ metadata }: Node) => readLeavingMark(metadata?.annotations);

const nameOf = ({ metadata }: Node): string => metadata?.name ?? '';

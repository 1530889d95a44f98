import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { isDenied } from '../draining/cluster-failure.ts';
import { cordonPatch, uncordonPatch } from '../draining/cordon.ts';
import type { GroupInstance } from '../groups/group.ts';
import { judgeMissing } from '../groups/missing-instance.ts';
import {
  believedMarkOf,
  hasReturned,
  type LeavingMark,
  leftoverAfterSeconds,
  strangeMarkOf,
} from '../nodes/leaving-mark.ts';
import { isKubeletSilent, readyConditionOf } from '../nodes/node-condition.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import { again, done, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import type { LeavingContext, LeavingSubject } from './context.ts';
import { searchLikelyNode } from './find-node.ts';
import { patchNode } from './mark-and-cordon.ts';
import { recordEvent } from './notify.ts';
import { letVolumesGo } from './out-of-service.ts';
import { removeNode } from './release-instance.ts';
import { actionSettlesAfterMilliseconds } from './situation.ts';
import { keepTakenNode, recordTaken } from './taken-node.ts';

/** Deletes the Node of an instance that is gone, if the group of the instance is managed or the Node has our mark. */
export async function deleteOrphanedNode(
  context: LeavingContext,
  subject: LeavingSubject,
  {
    isManaged,
    reason,
    isTerminated = false,
  }: {
    readonly isManaged: boolean;
    readonly reason: string;
    /** EC2 reports it so. */
    readonly isTerminated?: boolean;
  },
): Promise<Outcome> {
  // A remembered Node does not show whether its kubelet still reports.
  context.memory.forget(subject.instanceId);
  const node = await searchLikelyNode(context, subject);
  if (!node) return done(`${reason}, and no node has one of its likely names`);
  const isOurs = isManaged || markOf(context, node) !== undefined;
  if (!isOurs)
    return done(
      `${reason}, but nothing shows that node ${nameOfNode(node)} was managed by Drover: it is kept`,
    );
  const taken = await keepTakenNode(context, { subject, node }, reason);
  if (taken === 'unsettled')
    return again(settlingSeconds, `${reason}, and the kubelet of node ${nameOfNode(node)} may still report`);
  if (taken !== undefined) return done(`${reason}, but ${taken}`, { node: nameOfNode(node) });
  const { instanceId } = subject;
  const held = isTerminated ? await letVolumesGo(context, { instanceId, node, gone: reason }) : undefined;
  if (held) return held;
  return await deleteFor(context, { instanceId, node, reason });
}

const settlingSeconds = 10;

/**
 * For an instance that neither Auto Scaling nor EC2 knows. Its Node is deleted only if that is still so minutes later, and its kubelet
 * does not report. The mark on the Node records since when.
 */
export async function confirmMissing(context: LeavingContext, subject: LeavingSubject): Promise<Outcome> {
  const { instanceId } = subject;
  const missing = 'neither Auto Scaling nor EC2 knows the instance';
  // A remembered Node does not show whether its kubelet still reports.
  context.memory.forget(instanceId);
  const node = await searchLikelyNode(context, subject);
  if (!node) return done(`${missing}, and no node has one of its likely names`);
  const mark = markOf(context, node);
  if (!mark) return done(`${missing}, and nothing shows that node ${nameOfNode(node)} was managed by Drover`);
  const now = context.clock.now();
  return await unlessDenied(`${missing}, but node ${nameOfNode(node)} cannot be marked`, async () => {
    const { kind, secondsLeft } = judgeMissing({
      now,
      missingSince: mark.missingSince ? Date.parse(mark.missingSince) : undefined,
    });
    if (kind === 'new') await recordMissing(context, { node, mark, now });
    if (kind === 'gone' && !isKubeletSilent(node) && readyConditionOf(node))
      return keepMissing(context, subject, node);
    if (kind !== 'gone')
      return again(secondsLeft, `${missing}; if that is still so in ${secondsLeft} s, its node is deleted`);
    return await deleteFor(context, { instanceId, node, reason: `for minutes, ${missing}` });
  });
}

/** A kubelet that reports runs on some machine, whatever EC2 answers. The sweep requests a pass for this Node again. */
function keepMissing(context: LeavingContext, { instanceId }: LeavingSubject, node: Node): Outcome {
  const name = nameOfNode(node);
  const message = `for minutes, neither Auto Scaling nor EC2 knows the instance, but its kubelet reports: node ${name} is kept; check aws ec2 describe-instances --instance-ids ${instanceId}, and delete the node with kubectl once its machine has ended`;
  recordTaken(context, node, message);
  return done(message, { node: name });
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
 * Uncordons a Node that has our mark although its instance stays, once the mark is well past its deadline. Everything that Drover put on
 * the Node is removed, also if something has edited the mark to name another instance. Only a notice of the sweep leads to this.
 */
export async function uncordonLeftoverNode(
  context: LeavingContext,
  subject: LeavingSubject,
): Promise<Outcome | undefined> {
  if (!subject.notices.some(({ cause }) => cause === 'swept')) return undefined;
  const node = await searchLikelyNode(context, subject);
  const mark = node && (markOf(context, node) ?? strangeMarkOf(node, { now: context.clock.now() }));
  if (!node || !mark) return undefined;
  const until = Date.parse(mark.until ?? mark.since);
  if (context.clock.now() < until + leftoverAfterSeconds * 1000) return undefined;
  const patch = uncordonPatch(node);
  return await unlessDenied(
    `its instance stays, but node ${nameOfNode(node)} is not uncordoned`,
    async () => {
      await patchNode(context, { instanceId: subject.instanceId, node, patch });
      return done(`its instance stays: node ${nameOfNode(node)} is uncordoned`);
    },
  );
}

/**
 * Uncordons a Node that was drained for a scheduled change which AWS has cancelled or carried out: its instance stays. The pods that have
 * left do not return by themselves. An earlier pass may have handed the instance back moments ago, and Auto Scaling may not describe that yet.
 *
 * @returns undefined if no change has ended, or if the Node leaves for another cause.
 */
export async function uncordonAfterChange(
  context: LeavingContext,
  subject: LeavingSubject,
  reason: string,
): Promise<Outcome | undefined> {
  const ends = subject.notices.filter(({ cause }) => cause === 'change-ended');
  if (ends.length === 0) return undefined;
  const node = await searchLikelyNode(context, subject);
  const patch = node && markOf(context, node)?.cause === 'scheduled-change' ? uncordonPatch(node) : undefined;
  if (!node || !patch) return undefined;
  const ended = 'its scheduled change has ended or was cancelled';
  const settledAt =
    Math.max(...ends.map(({ noticedAt }) => Date.parse(noticedAt))) + actionSettlesAfterMilliseconds;
  const left = Math.ceil((settledAt - context.clock.now()) / 1000);
  if (left > 0)
    return again(
      left,
      `${ended}: node ${nameOfNode(node)} is uncordoned once Auto Scaling shows that it stays`,
    );
  return await unlessDenied(`${ended}, but node ${nameOfNode(node)} is not uncordoned`, async () => {
    const patched = await patchNode(context, { instanceId: subject.instanceId, node, patch });
    const message = `${ended} and ${reason}: the drain ends, and node ${nameOfNode(node)} is uncordoned`;
    recordEvent(context, patched, { type: 'Normal', reason: 'DrainCancelled', message });
    return done(message, { node: nameOfNode(node) });
  });
}

/**
 * Uncordons the Node of an instance that is back in service with a new root volume, once the Node is Ready after another boot. The message
 * that drained the Node leads to this, or a notice of the sweep if that message is lost.
 *
 * @returns undefined if there is no such Node.
 */
export async function uncordonReturnedNode(
  context: LeavingContext,
  subject: LeavingSubject,
  instance: GroupInstance | undefined,
): Promise<Outcome | undefined> {
  if (!instance || !mayReturn(subject)) return undefined;
  // The remembered Node is from before the reboot.
  context.memory.forget(subject.instanceId);
  const node = await searchLikelyNode(context, subject);
  const mark = node && markOf(context, node);
  if (!node || mark?.bootBefore === undefined) return undefined;
  const name = nameOfNode(node);
  if (instance.lifecycleState.startsWith('Pending'))
    return again(longestWaitSeconds, `it has a new root volume, and is ${instance.lifecycleState}`, {
      waitsFor: 'reboot',
    });
  if (!hasReturned(node, mark, context.clock.now())) {
    const reason = `its root volume is replaced, and node ${name} is not Ready since: it stays cordoned until its kubelet has joined again`;
    return again(longestWaitSeconds, reason, { waitsFor: 'reboot' });
  }
  const back = 'it is back with a new root volume';
  return await unlessDenied(`${back}, but node ${name} is not uncordoned`, async () => {
    await patchNode(context, { instanceId: subject.instanceId, node, patch: uncordonPatch(node) });
    return done(`${back}: node ${name} is uncordoned`, { node: name });
  });
}

const mayReturn = ({ notices }: LeavingSubject): boolean =>
  notices.some(({ cause, action }) => cause === 'swept' || action === 'ReplaceRootVolume');

async function deleteFor(
  context: LeavingContext,
  { instanceId, node, reason }: { readonly instanceId: string; readonly node: Node; readonly reason: string },
): Promise<Outcome> {
  return await unlessDenied(`${reason}, but node ${nameOfNode(node)} is not deleted`, async () => {
    const answer = await removeNode(context, { instanceId, node });
    const result = answer === 'deleted' ? 'its node is deleted' : 'its node was gone';
    return done(`${reason}: ${result}`, { node: nameOfNode(node) });
  });
}

/** Nothing waits for these writes, so a denied one is not retried at once: the sweep will request it again. */
async function unlessDenied(what: string, write: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await write();
  } catch (error) {
    if (!isDenied(error)) throw error;
    return done(`${what}: ${messageOf(error)}`);
  }
}

const markOf = ({ clock }: Pick<LeavingContext, 'clock'>, node: Node): LeavingMark | undefined =>
  believedMarkOf(node, { now: clock.now() });

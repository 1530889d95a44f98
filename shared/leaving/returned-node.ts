import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { uncordonPatch } from '../draining/cordon.ts';
import type { GroupInstance } from '../groups/group.ts';
import { type LeavingMark, leftoverAfterSeconds, readLeavingMark } from '../nodes/leaving-mark.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { again, done, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import type { LeavingContext, LeavingSubject } from './context.ts';
import { patchNode } from './patch-node.ts';
import { searchLikelyNode } from './search-node.ts';

/**
 * Takes our cordon back from the Node of an instance that is back in service with a new root volume, once the Node is Ready after
 * another boot. The message that drained the Node asks for it; if that is lost, the sweep does. Undefined: no such Node.
 */
export async function uncordonReturnedNode(
  context: LeavingContext,
  subject: LeavingSubject,
  instance: GroupInstance | undefined,
): Promise<Outcome | undefined> {
  if (!instance || !mayReturn(subject)) return undefined;
  // What is remembered is the Node as it was before the reboot.
  context.memory.forget(subject.instanceId);
  const node = await searchLikelyNode(context, subject);
  const mark = readLeavingMark(node?.metadata?.annotations);
  if (!node || mark?.bootBefore === undefined) return undefined;
  const name = node.metadata?.name ?? '';
  if (instance.lifecycleState.startsWith('Pending'))
    return again(longestWaitSeconds, `it has a new root volume, and is ${instance.lifecycleState}`, {
      waitsFor: 'reboot',
    });
  if (!hasReturned(node, mark, context.clock.now())) {
    const reason = `its root volume is replaced, and node ${name} is not Ready since: it stays cordoned until its kubelet has joined again`;
    return again(longestWaitSeconds, reason, { waitsFor: 'reboot' });
  }
  await patchNode(context, { instanceId: subject.instanceId, node, patch: uncordonPatch(node) });
  return done(`it is back with a new root volume: our cordon is taken back from node ${name}`, {
    node: name,
  });
}

const mayReturn = ({ notices }: LeavingSubject): boolean =>
  notices.some(({ cause, action }) => cause === 'swept' || action === 'ReplaceRootVolume');

/**
 * Ready may still be what the kubelet said before the reboot, so another boot has to be seen where the first is known. A refresh that
 * was cancelled may never reboot it: minutes after the last renewal, Ready is enough.
 */
export function hasReturned(
  node: Node,
  { bootBefore, renewedAt }: Pick<LeavingMark, 'bootBefore' | 'renewedAt'>,
  now: number,
): boolean {
  if (!isNodeReady(node)) return false;
  if (bootBefore === '' || bootOf(node) !== bootBefore) return true;
  return now >= Date.parse(renewedAt) + leftoverAfterSeconds * 1000;
}

/** Empty where the Node does not say it. */
export const bootOf = (node: Node): string => node.status?.nodeInfo?.bootID ?? '';

import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { isDenied } from '../draining/cluster-failure.ts';
import { uncordonPatch } from '../draining/cordon.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { type InstanceEnd, kubeletAfter } from '../nodes/node-condition.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import type { LeavingContext, LeavingSubject } from './context.ts';
import { patchNode } from './mark-and-cordon.ts';
import { recordEvent } from './notify.ts';

/**
 * The end of an instance that EC2 reports as terminated, by its notices. EC2's own event has the time. Any other notice only shows that
 * the instance had ended, or was about to end, when it was sent.
 */
function endOf({ notices }: LeavingSubject): InstanceEnd {
  const times = notices
    .filter(({ cause, nodeName }) => cause === 'instance-gone' && nodeName === undefined)
    .map(({ noticedAt }) => Date.parse(noticedAt));
  if (times.length > 0) return { at: Math.max(...times), isExact: true };
  return { at: Math.max(...notices.map(({ noticedAt }) => Date.parse(noticedAt))), isExact: false };
}

/**
 * Keeps a Node whose kubelet has reported since the end of its instance: the Node serves another machine, which has the same name. It is
 * neither drained nor deleted, and a cordon of Drover is removed, because its cause has ended.
 *
 * @returns what became of the Node, for the reason of the pass; `unsettled` if the kubelet may have died with the instance moments ago;
 * undefined if nothing runs on the Node.
 */
export async function keepTakenNode(
  context: LeavingContext,
  { subject, node }: { readonly subject: LeavingSubject; readonly node: Node },
  reason: string,
): Promise<string | undefined> {
  const verdict = kubeletAfter(node, endOf(subject), context.clock.now());
  if (verdict === 'silent') return undefined;
  if (verdict === 'unsettled') return verdict;
  const name = nameOfNode(node);
  const kept = `node ${name} is kept, because its kubelet has reported since: it serves another machine of the same name; ${remedyFor(name)}`;
  recordTaken(context, node, `${reason}; ${kept}`);
  const uncordoned = await removeCordon(context, subject.instanceId, node);
  return `${kept}${uncordoned}`;
}

export function recordTaken(context: LeavingContext, node: Node, message: string): void {
  recordEvent(context, node, { type: 'Warning', reason: 'NodeTaken', message });
}

/** A kubelet keeps the Node that it finds under its name, and Kubernetes never changes its providerID. */
const remedyFor = (name: string): string =>
  `run kubectl drain ${name} and kubectl delete node ${name}, and restart the kubelet of that machine, so that its node gets its own providerID`;

async function removeCordon(context: LeavingContext, instanceId: string, node: Node): Promise<string> {
  if (readLeavingMark(node.metadata?.annotations)?.instanceId !== instanceId) return '';
  try {
    await patchNode(context, { instanceId, node, patch: uncordonPatch(node) });
    return '; it is uncordoned';
  } catch (error) {
    if (!isDenied(error)) throw error;
    return `; it is not uncordoned: ${messageOf(error)}`;
  }
}

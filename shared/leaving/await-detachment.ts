import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import { claimsOf } from '../draining/pod-facts.ts';
import type { LeavingMark } from '../nodes/leaving-mark.ts';
import { isKubeletSilent, reportsVolumes } from '../nodes/node-condition.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import { again, type Outcome } from '../passes/outcome.ts';
import type { Noted } from '../passes/steps.ts';
import type { Drained, Leaving, LeavingContext, Marked, Planned, Started } from './context.ts';
import { updateEmptyMark } from './mark-and-cordon.ts';
import { recordEvent } from './notify.ts';

const detachmentRetrySeconds = 5;
const longestDetachmentSeconds = 300;

/**
 * Waits until the volumes of the node are detached. Otherwise the next node that needs one of them waits about six minutes, with a
 * multi-attach error. It does not wait past the deadline, nor for a kubelet that does not respond, because that unmounts nothing. Nor does
 * it wait for longer than five minutes: a VolumeAttachment may be left for good, and Kubernetes itself detaches by force after six
 * (kubernetes-sigs/karpenter#2169). It comes after every other wait, so that its Event is recorded once.
 */
export async function awaitVolumes(
  context: LeavingContext,
  state: Started & Planned & Marked & Drained,
): Promise<Outcome | object | Noted> {
  const { plan, node, mark, podsLeft, notes } = state;
  const isLate = context.clock.now() >= plan.deadlines.deadline;
  if (isLate || !mayHaveVolumes(node, mark) || isKubeletSilent(node)) return {};
  const volumes = await attachedVolumes(context, node, podsLeft);
  if (volumes.length === 0) return {};
  if (hasWaitedForVolumes(context.clock.now(), mark)) {
    const message = `its volumes are still attached after ${longestDetachmentSeconds / 60} minutes, and it does not wait for them any longer: ${volumes.join(', ')}`;
    recordEvent(context, node, { type: 'Warning', reason: 'VolumesAttached', message });
    return { notes: [...notes, message] };
  }
  await updateEmptyMark(context, state);
  return again(
    detachmentRetrySeconds,
    `its pods are gone, its volumes are not yet detached: ${volumes.join(', ')}`,
    { waitsFor: 'volumes', volumesAttached: volumes.length },
  );
}

const hasWaitedForVolumes = (now: number, { emptySince }: LeavingMark): boolean =>
  emptySince !== undefined && now >= Date.parse(emptySince) + longestDetachmentSeconds * 1000;

/** Whether the Node may have VolumeAttachments. If not, they are not listed. */
const mayHaveVolumes = (node: Node, mark: LeavingMark): boolean =>
  mark.mayHaveVolumes === true || reportsVolumes(node);

/** The attached volumes of the node, except those of pods that stay on it until the end (DaemonSets). */
async function attachedVolumes(
  { cluster }: LeavingContext,
  node: Node,
  podsLeft: readonly Pod[],
): Promise<readonly string[]> {
  const attachments = await cluster.listVolumeAttachments(nameOfNode(node));
  const names = attachments.map(volumeOf).filter((name) => name !== undefined);
  if (names.length === 0) return [];
  const staying = await Promise.all(
    podsLeft.flatMap((pod) =>
      claimsOf(pod).map((claim) => cluster.volumeOfClaim(pod.metadata?.namespace ?? 'default', claim)),
    ),
  );
  return names.filter((name) => !staying.includes(name));
}

const volumeOf = ({ spec }: VolumeAttachment): string | undefined => spec?.source?.persistentVolumeName;

/** Waits until every target group has deregistered the instance, but not past the deadline. */
export async function awaitLoadBalancers(
  context: LeavingContext,
  state: Leaving & Planned & Marked & Drained,
): Promise<Outcome | object> {
  const { clock, targetHealth } = context;
  const { plan, instance, group } = state;
  const { instanceId } = instance;
  const { targetGroupArns } = group;
  if (clock.now() >= plan.deadlines.deadline || targetGroupArns.length === 0) return {};
  const targets = await targetHealth.draining({ instanceId, targetGroupArns });
  if (targets.length === 0) return {};
  await updateEmptyMark(context, state);
  return again(
    detachmentRetrySeconds,
    `requests may be in flight: ${targets.join(', ')} still deregisters it`,
    { waitsFor: 'targets', targetsDraining: targets.length },
  );
}

import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import { isKubeletSilent } from '../../nodes/node-condition.ts';
import { again, type Outcome } from '../../passes/outcome.ts';
import type { LeavingContext } from '../context.ts';
import { updateEmptyMark } from '../mark-node.ts';
import type { Drained, Marked, Planned } from '../state.ts';
import { claimsOf, mayHaveVolumes } from '../volumes.ts';

export const detachmentRetrySeconds = 5;

/**
 * Waits until the node's volumes are detached. Otherwise the next node that needs one waits some six minutes for a
 * multi-attach. It does not wait past the deadline, nor for a kubelet that does not answer, since that unmounts nothing.
 */
export async function awaitVolumes(
  context: LeavingContext,
  state: Planned & Marked & Drained,
): Promise<Outcome | object> {
  const { plan, node, mark, podsLeft } = state;
  const isLate = context.clock.now() >= plan.deadlines.deadline;
  if (isLate || !mayHaveVolumes(node, mark) || isKubeletSilent(node)) return {};
  const volumes = await attachedVolumes(context, node, podsLeft);
  if (volumes.length === 0) return {};
  await updateEmptyMark(context, state);
  return again(
    detachmentRetrySeconds,
    `its pods are gone, its volumes are not yet detached: ${volumes.join(', ')}`,
    { waitsFor: 'volumes', volumesAttached: volumes.length },
  );
}

/** VolumeAttachments of the node, except those of pods that stay on it to the end (DaemonSets). */
async function attachedVolumes(
  { cluster }: LeavingContext,
  node: Node,
  podsLeft: readonly Pod[],
): Promise<readonly string[]> {
  const attachments = await cluster.listVolumeAttachments(node.metadata?.name ?? '');
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

import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { isDenied } from '../draining/cluster-failure.ts';
import { type NodePatch, uidOf } from '../draining/cordon.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { isNodeReady, readyConditionOf, reportsVolumes } from '../nodes/node-condition.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import { again, type Outcome } from '../passes/outcome.ts';
import type { LeavingContext } from './context.ts';
import { patchNode } from './mark-and-cordon.ts';
import { recordEvent } from './notify.ts';

const outOfServiceKey = 'node.kubernetes.io/out-of-service';

/** Longer than the pod garbage collector (20 s) and an attacher need. Without the taint, Kubernetes detaches after six minutes. */
const longestSeconds = 120;
const retrySeconds = 5;

/**
 * Lets the volumes of a Node go whose instance EC2 reports as terminated, before the Node is deleted: the taint `out-of-service` makes
 * Kubernetes end its pods and detach their volumes at once (KEP-2268, since Kubernetes 1.26). The deletion of the Node does not: the
 * attach/detach controller takes over the last `volumesInUse` of the deleted Node, and waits six minutes for an unmount that never comes
 * (nodeDelete in attach_detach_controller.go, maxWaitForUnmountDuration; kubernetes-sigs/aws-ebs-csi-driver#1955). The Node is only tainted
 * while it is not Ready: a kubelet that still runs would write to a volume that is attached elsewhere.
 *
 * @param gone positive evidence of EC2 that the instance is terminated, for the reason of the pass.
 * @returns undefined if the Node may be deleted: it has no volumes, they are detached, two minutes have passed, or the taint is denied.
 */
export async function letVolumesGo(
  context: LeavingContext,
  {
    instanceId,
    node: known,
    gone,
  }: { readonly instanceId: string; readonly node: Node; readonly gone: string },
): Promise<Outcome | undefined> {
  const hasVolumes =
    reportsVolumes(known) || readLeavingMark(known.metadata?.annotations)?.mayHaveVolumes === true;
  if (!hasVolumes) return undefined;
  try {
    return await holdForVolumes(context, { instanceId, known, gone });
  } catch (error) {
    if (!isDenied(error)) throw error;
    const message = `its volumes are detached only after minutes: ${messageOf(error)}`;
    context.reportError(`node ${nameOfNode(known)} cannot be taken out of service`, error);
    recordEvent(context, known, { type: 'Warning', reason: 'OutOfServiceDenied', message });
    return undefined;
  }
}

async function holdForVolumes(
  context: LeavingContext,
  { instanceId, known, gone }: { readonly instanceId: string; readonly known: Node; readonly gone: string },
): Promise<Outcome | undefined> {
  const { cluster, clock } = context;
  const now = clock.now();
  // The remembered Node shows neither whether it is still Ready nor every taint.
  const node = await cluster.getNode(nameOfNode(known));
  if (node === undefined || node.metadata?.uid !== known.metadata?.uid) return undefined;
  const attachments = await cluster.listVolumeAttachments(nameOfNode(node));
  const volumes = attachments.map(
    ({ metadata, spec }) => spec?.source?.persistentVolumeName ?? metadata?.name,
  );
  if (volumes.length === 0) return undefined;
  const wait = (why: string): Outcome =>
    again(retrySeconds, `${gone}, and ${why}: ${volumes.join(', ')}`, {
      waitsFor: 'volumes',
      volumesAttached: volumes.length,
    });
  if (isNodeReady(node))
    return isLongSilent(node, now) ? undefined : wait('its node does not show yet that it has failed');
  const since = taintedAt(node, now);
  if (since === undefined) {
    const patch = outOfServicePatch(node, now);
    const tainted = await patchNode(context, { instanceId, node, patch });
    recordEvent(context, tainted, {
      type: 'Warning',
      reason: 'NodeOutOfService',
      message: `${gone}: its pods end and its volumes are detached without its kubelet`,
    });
  }
  const isOver = since !== undefined && now >= since + longestSeconds * 1000;
  return isOver ? undefined : wait('its node is out of service until its volumes are detached');
}

/** The node controller calls a kubelet silent within a minute. If it does not, no process of Kubernetes would act on the taint either. */
const isLongSilent = (node: Node, now: number): boolean =>
  now >= (Date.parse(readyConditionOf(node)?.lastHeartbeatTime ?? '') || 0) + longestSeconds * 1000;

const isOutOfService = ({ key, effect }: Taint): boolean => key === outOfServiceKey && effect === 'NoExecute';

/** When the Node was tainted, in epoch milliseconds; undefined without a taint that has a believable time. */
function taintedAt({ spec }: Node, now: number): number | undefined {
  const times = (spec?.taints ?? [])
    .filter(isOutOfService)
    .map(({ timeAdded = '' }) => Date.parse(timeAdded));
  return times.find((time) => time <= now);
}

/** Taints are replaced as a whole, so the API server refuses the patch if the Node has changed since it was read. */
function outOfServicePatch(node: Node, now: number): NodePatch {
  const { resourceVersion } = node.metadata ?? {};
  const taint: Taint = {
    key: outOfServiceKey,
    value: 'nodeshutdown',
    effect: 'NoExecute',
    timeAdded: new Date(now).toISOString(),
  };
  const others = (node.spec?.taints ?? []).filter((one) => !isOutOfService(one));
  return {
    metadata: { ...uidOf(node), ...(resourceVersion !== undefined && { resourceVersion }) },
    spec: { taints: [...others, taint] },
  };
}

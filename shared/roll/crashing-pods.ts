import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1.d.ts';
import { controllerOf, identityOf, isFinished, isReady, terminatesAt } from '../draining/pod-facts.ts';

interface PlacedPods {
  /** The pods on nodes that were launched after the roll began. */
  readonly onNew: readonly Pod[];
  /** The pods on the others of the group, and of its role. */
  readonly onOld: readonly Pod[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** When people resumed the roll, in epoch milliseconds: earlier restarts have stopped it already. */
  readonly resumedAt?: number | undefined;
}

/**
 * Why a pod on a new node shows that something is wrong with the node; undefined if none does. The pod cannot start, crash-loops or has
 * restarted three times, and pods of the same revision are Ready on old nodes. It is not the fault of the node if
 * - no pod of the revision is Ready on an old node, as in the rollout of a broken image;
 * - one of them fails on an old node too, or has restarted there three times and again since the roll began;
 * - one of them has restarted as often on an old node when it started, as pods do that wait for something else.
 *
 * It depends only on what the API server has now. So a workload with one pod shows nothing: once that pod is evicted, none is Ready on an old
 * node. Pure.
 */
export function crashOnNewNode({ onNew, onOld, startedAt, resumedAt = 0 }: PlacedPods): string | undefined {
  const revisions = Map.groupBy(onOld.filter(isRunning), revisionOf);
  for (const pod of onNew.filter(isRunning)) {
    const trouble = troubleOf(pod, resumedAt);
    const revision = revisionOf(pod);
    if (trouble === undefined || revision === undefined) continue;
    const others = revisions.get(revision) ?? [];
    if (others.some(isReady) && !others.some((other) => failsToo(other, { pod, startedAt })))
      return `pod ${nameOf(pod)} on new node ${pod.spec?.nodeName} ${trouble}, and ${controllerOf(pod)?.kind} ${controllerOf(pod)?.name} has Ready pods on old nodes`;
  }
  return undefined;
}

export const nameOf = (pod: Pod): string => `${identityOf(pod).namespace}/${identityOf(pod).name}`;

const isRunning = (pod: Pod): boolean => !isFinished(pod) && terminatesAt(pod) === undefined;

/**
 * What pods of one template have in common; undefined without a controller. Each ReplicaSet has one template, but StatefulSets and DaemonSets
 * keep their UID, and label their pods with the revision.
 */
export function revisionOf(pod: Pod): string | undefined {
  const controller = controllerOf(pod);
  return controller && `${controller.uid}/${pod.metadata?.labels?.['controller-revision-hash'] ?? ''}`;
}

/**
 * Reasons for which the kubelet waits before it tries again, or gives up (pkg/kubelet/images/types.go, pkg/kubelet/kuberuntime). A missing
 * ConfigMap (CreateContainerConfigError) is not among them: it is missing for all nodes.
 */
const waitingReasons = ['CrashLoopBackOff', 'ImagePullBackOff', 'ErrImageNeverPull', 'CreateContainerError'];

const mostRestarts = 3;

const containersOf = ({ status }: Pod): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

const restartsOf = (pod: Pod): number =>
  Math.max(0, ...containersOf(pod).map(({ restartCount }) => restartCount));

const waitingReasonOf = (pod: Pod): string | undefined =>
  containersOf(pod)
    .map(({ state }) => state?.waiting?.reason)
    .find((reason) => reason !== undefined && waitingReasons.includes(reason));

function troubleOf(pod: Pod, since: number): string | undefined {
  const reason = waitingReasonOf(pod);
  if (reason !== undefined) return `is in ${reason}`;
  const restarts = restartsOf(pod);
  return hasRestartedOften(pod, since) ? `has restarted ${restarts} times` : undefined;
}

/** Whether a container has restarted three times or more, and again since then. */
const hasRestartedOften = (pod: Pod, since: number): boolean =>
  containersOf(pod).some(
    ({ restartCount, lastState }) =>
      restartCount >= mostRestarts &&
      // Without the time of the last end, as after a restart of the container runtime, it counts.
      !(Date.parse(lastState?.terminated?.finishedAt ?? '') < since),
  );

/** Whether this pod of an old node fails as the one of a new node does. */
const failsToo = (
  other: Pod,
  { pod, startedAt }: { readonly pod: Pod; readonly startedAt: number },
): boolean =>
  waitingReasonOf(other) !== undefined ||
  containersOf(other).some(
    (container) =>
      container.restartCount >= mostRestarts &&
      Date.parse(container.lastState?.terminated?.finishedAt ?? '') >= startedAt,
  ) ||
  startRestartsOf(other) >= Math.max(1, restartsOf(pod));

/** A container with five restarts has waited for about five minutes between them. */
const startMilliseconds = 600_000;

/** How often the containers of a pod have restarted, if they have run ever since it started. */
function startRestartsOf(pod: Pod): number {
  const startedAt = Date.parse(pod.status?.startTime ?? '');
  const restarts = containersOf(pod).flatMap(({ restartCount, state }) =>
    Date.parse(state?.running?.startedAt ?? '') - startedAt <= startMilliseconds ? restartCount : [],
  );
  return Math.max(0, ...restarts);
}

import type { Pod, PodStatus } from 'kubernetes-types/core/v1.d.ts';
import { withCondition } from '../controllers/conditions.ts';
import { type Stored, timestamp } from '../store/object.ts';

interface Running {
  readonly hostIP: string;
  readonly podIP: string;
  readonly now: number;
}

/** Containers run, not yet ready. */
export function runningPod(pod: Stored<Pod>, { hostIP, podIP, now }: Running): Stored<Pod> {
  const at = timestamp(now);
  const status: PodStatus = {
    ...pod.status,
    phase: 'Running',
    hostIP,
    podIP: pod.spec?.hostNetwork === true ? hostIP : podIP,
    podIPs: [{ ip: pod.spec?.hostNetwork === true ? hostIP : podIP }],
    startTime: at,
    containerStatuses: (pod.spec?.containers ?? []).map(({ name, image = '' }) => ({
      name,
      image,
      imageID: image,
      containerID: `containerd://${pod.metadata.uid}-${name}`,
      ready: false,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: at } },
    })),
  };
  return withCondition({ ...pod, status }, { type: 'Initialized', status: 'True' }, at);
}

/** A pod is Ready when its containers are and each of its readiness gates is said to be True. */
export function readyPod(pod: Stored<Pod>, ready: boolean, now: number): Stored<Pod> {
  const status = ready ? 'True' : 'False';
  const at = timestamp(now);
  const containerStatuses = (pod.status?.containerStatuses ?? []).map((container) => ({
    ...container,
    ready,
  }));
  const next = { ...pod, status: { ...pod.status, containerStatuses } };
  return withCondition(
    withCondition(next, { type: 'ContainersReady', status }, at),
    ready && !gatesOpen(pod)
      ? { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' }
      : { type: 'Ready', status },
    at,
  );
}

/** https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-readiness-gate */
function gatesOpen(pod: Stored<Pod>): boolean {
  return (pod.spec?.readinessGates ?? []).every(({ conditionType }) => isTrue(pod, conditionType));
}

/** Its containers are ready, and Ready is what follows from its gates. */
export const isSettled = (pod: Stored<Pod>): boolean =>
  isTrue(pod, 'ContainersReady') && isTrue(pod, 'Ready') === gatesOpen(pod);

const isTrue = ({ status }: Stored<Pod>, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

/** Every container has ended with exit code 0. */
export function endedPod(pod: Stored<Pod>, now: number): Stored<Pod> {
  const finishedAt = timestamp(now);
  const containerStatuses = (pod.status?.containerStatuses ?? []).map((container) => ({
    ...container,
    state: { terminated: { exitCode: 0, reason: 'Completed', finishedAt } },
  }));
  const ended = { ...pod, status: { ...pod.status, phase: 'Succeeded', containerStatuses } };
  return readyPod(ended, false, now);
}

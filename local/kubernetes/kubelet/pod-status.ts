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
    { type: 'Ready', status },
    at,
  );
}

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

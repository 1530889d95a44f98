import type { DrainPlan } from '../../shared/draining/plan-drain.ts';
import type { PodIdentity } from '../../shared/nodes/cluster.ts';

/** Notices, from one read to the next, which of the awaited pods have gone. */
export function watchDepartures(onLeft: (pod: PodIdentity) => void): (plan: DrainPlan) => void {
  const expected = new Map<string, PodIdentity>();
  return (plan) => {
    const present = new Set(plan.pods.map(({ uid }) => uid));
    for (const [uid, pod] of expected) {
      if (present.has(uid)) continue;
      expected.delete(uid);
      onLeft(pod);
    }
    for (const pod of plan.waitingFor) expected.set(pod.uid, pod);
  };
}

import { withShape } from '../plan/pod.ts';
import { largestOf } from '../plan/requests.ts';
import type { Amounts, PlannedPod } from '../plan/types.ts';
import { type PodRequest, podsThere } from './pod-request.ts';

/**
 * Makes planned pods of a request as admission makes them: if all pods that it selects and that run ask for more than its template, as a sidecar
 * injector, a LimitRange, a RuntimeClass or a VerticalPodAutoscaler adds, the next ones do too (kubernetes/autoscaler#9265). The least of those that run
 * counts, so that one pod that was resized, or that a rollout replaces, changes nothing. Undefined if none of them runs. Pure.
 */
export function asAdmitted(
  request: PodRequest,
  running: readonly PlannedPod[],
): ((pod: PlannedPod) => PlannedPod) | undefined {
  const [first, ...others] = podsThere(request, running);
  if (first === undefined) return undefined;
  const requests = others.reduce((least, pod) => leastOf(least, pod.requests), first.requests);
  const ranked = others.reduce((least, pod) => leastOf(least, pod.rankedRequests), first.rankedRequests);
  return (pod) => {
    const { shape: _, ...rest } = pod;
    return withShape({
      ...rest,
      requests: largestOf(pod.requests, requests),
      rankedRequests: largestOf(pod.rankedRequests, ranked),
    });
  };
}

/** A resource that one of them does not ask for is in neither. */
const leastOf = (one: Amounts, other: Amounts): Amounts =>
  new Map(
    [...one].flatMap(([name, amount]) => {
      const least = Math.min(amount, other.get(name) ?? 0);
      return least > 0 ? [[name, least] as const] : [];
    }),
  );

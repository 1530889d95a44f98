import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { claimsOfDevices } from '../../draining/device-claims.ts';

const defaultScheduler = 'default-scheduler';

/**
 * Why no plan can be made for a pod, because something else than these filters decides about it; undefined if one can. Such a pod is named, never
 * counted as if it fitted.
 */
export function whyNotPlanned(pod: Pod): string | undefined {
  const { schedulerName, schedulingGates } = pod.spec ?? {};
  if (schedulerName && schedulerName !== defaultScheduler)
    return `the scheduler ${schedulerName} decides about it, whose rules are not known`;
  const gates = (schedulingGates ?? []).map(({ name }) => name);
  if (gates.length > 0) return `it waits for the scheduling gate ${gates.join(', ')}`;
  const [claim] = claimsOfDevices(pod);
  if (claim !== undefined || (pod.spec?.resourceClaims ?? []).length > 0)
    return `it has ResourceClaims: which node has free devices is known only to their driver`;
  return undefined;
}

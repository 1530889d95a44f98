import {
  type Admission,
  type AdmissionInput,
  freeSlots,
  hasStarted,
  type LeavingInstance,
  notStarted,
} from './free-slots.ts';

/**
 * Whether an instance that waits on our hook may start to leave. Free slots go to waiting instances in the order of their
 * ids. Every pass computes the same answer from the same lists, so that no shared counter is needed.
 */
export function admitWaiting(input: AdmissionInput): Admission {
  if (hasStarted(input)) return { admitted: true };
  const slots = freeSlots(input);
  const ahead: LeavingInstance[] = [];
  for (const instance of notStarted(input)) {
    const admitted = slots.take(instance);
    if (instance.instanceId === input.instanceId)
      return admitted
        ? { admitted }
        : { admitted, ahead: ahead.length, isNext: isNext(instance, ahead, input) };
    if (!admitted) ahead.push(instance);
  }
  return { admitted: true };
}

function isNext(
  { autoScalingGroupName }: LeavingInstance,
  ahead: readonly LeavingInstance[],
  { maxInGroup, maxInCluster }: AdmissionInput,
): boolean {
  const inGroup = ahead.filter((one) => one.autoScalingGroupName === autoScalingGroupName);
  return inGroup.length < maxInGroup(autoScalingGroupName) && ahead.length < maxInCluster;
}

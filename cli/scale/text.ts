import type { CapacityChange, CapacityPlan } from '../scale-api/client.ts';

/** A change in one line. */
export const changeText = ({
  autoScalingGroupName,
  from,
  desiredCapacity,
  reason,
}: CapacityChange | CapacityPlan): string =>
  `${autoScalingGroupName}: ${from} -> ${desiredCapacity}; ${reason}`;

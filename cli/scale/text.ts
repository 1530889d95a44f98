import { oneLine } from '../plain-text.ts';
import type { CapacityChange, CapacityPlan } from '../scale-api/client.ts';

/** A change in one line. */
export const changeText = ({
  autoScalingGroupName,
  from,
  desiredCapacity,
  maxSize,
  reason,
}: CapacityChange | CapacityPlan): string =>
  oneLine(
    `${autoScalingGroupName}: ${from} -> ${desiredCapacity}; ${maxSize === undefined ? '' : `MaxSize becomes ${maxSize}; `}${reason}`,
  );

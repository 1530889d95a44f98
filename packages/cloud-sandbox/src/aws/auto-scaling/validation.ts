import type { CreateAutoScalingGroupType } from '@aws-sdk/client-auto-scaling';
import { autoScalingErrors } from './errors.ts';

export interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired: number;
}

/** Throws ValidationError unless 0 <= minimum <= desired <= maximum. */
export function checkBounds({ minimum, maximum, desired }: Bounds): void {
  if (minimum < 0 || maximum < 0)
    throw autoScalingErrors.validation('Min size and max size must not be negative');
  if (minimum > maximum) throw autoScalingErrors.minimumAboveMaximum();
  if (desired < minimum || desired > maximum) {
    throw autoScalingErrors.desiredOutside(desired, minimum, maximum);
  }
}

/** Throws ValidationError when a required member of the request is not there. */
export function required<T>(value: T | undefined, member: string): T {
  if (value === undefined) throw autoScalingErrors.missing(member);
  return value;
}

export function checkNewGroup(input: CreateAutoScalingGroupType): void {
  const name = required(input.AutoScalingGroupName, 'autoScalingGroupName');
  required(input.MinSize, 'minSize');
  required(input.MaxSize, 'maxSize');
  if (name.length === 0 || name.length > 255 || name.includes(':')) {
    throw autoScalingErrors.validation(
      `1 validation error detected: Value '${name}' at 'autoScalingGroupName' failed to satisfy constraint: Member must have length between 1 and 255 and no colon`,
    );
  }
}

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_LifecycleHook.html */
export function checkHeartbeatTimeout(seconds: number): void {
  if (Number.isInteger(seconds) && seconds >= 30 && seconds <= 7200) return;
  throw autoScalingErrors.validation(
    `HeartbeatTimeout must be between 30 and 7200 seconds, but was ${seconds}.`,
  );
}

export function checkOneOf<T extends string>(value: string, allowed: readonly T[], member: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) {
    throw autoScalingErrors.validation(
      `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: Member must satisfy enum value set: [${allowed.join(', ')}]`,
    );
  }
  return found;
}

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_PutLifecycleHook.html */
export function checkHookName(name: string): void {
  if (/^[\w/-]{1,255}$/.test(name)) return;
  throw autoScalingErrors.validation(
    `1 validation error detected: Value '${name}' at 'lifecycleHookName' failed to satisfy constraint: Member must satisfy regular expression pattern: [A-Za-z0-9\\-_\\/]+`,
  );
}

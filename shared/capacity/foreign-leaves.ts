import type { GroupActivity } from './groups.ts';
import type { CapacityChange } from './progress.ts';

/**
 * The instances that leave for another reason than this scale-in: a person or a program terminated them, they failed a check, Spot took
 * them, or an earlier scale-in chose them. Auto Scaling gives the reason in the cause of the activity (user guide, "Verify a scaling activity for an
 * Auto Scaling group"). An instance without an activity is not one of them, for it may be the scale-in's. Pure.
 *
 * @param activities - the newest first
 */
export function foreignLeaves(
  activities: readonly GroupActivity[],
  change: CapacityChange,
): ReadonlySet<string> {
  const newest = new Map<string, GroupActivity>();
  for (const activity of activities) {
    const instanceId = /^Terminating EC2 instance: (i-[0-9a-f]+)/.exec(activity.description)?.[1];
    if (instanceId !== undefined && !newest.has(instanceId)) newest.set(instanceId, activity);
  }
  return new Set(
    [...newest].filter(([, { cause }]) => !isOf(change, cause)).map(([instanceId]) => instanceId),
  );
}

/**
 * "At T a user request explicitly set group desired capacity changing the desired capacity from 3 to 1.  At T an instance was taken out of
 * service in response to a difference between desired and actual capacity, ...": a cause names the changes only until they are reached.
 */
function isOf({ desired }: CapacityChange, cause: string): boolean {
  if (!cause.includes('difference between desired and actual capacity')) return false;
  const changes = [...cause.matchAll(/changing the desired capacity from \d+ to (\d+)/g)];
  return changes.length === 0 || changes.some(([, to]) => Number(to) === desired);
}

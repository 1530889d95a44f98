import { type AutoScalingGroup, isSuspended } from '../groups/group.ts';
import { isInService } from '../groups/lifecycle-state.ts';

/**
 * The zones of a group that would be uneven without one of their instances. Auto Scaling evens zones out that differ by two or more, and would
 * terminate a node that serves in another zone for it, unless AZRebalance is suspended. Pure.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-availability-zone-balanced.html
 */
export function keptZones(group: AutoScalingGroup): readonly string[] {
  if (isSuspended(group, 'AZRebalance')) return [];
  const sizes = sizesOf(group);
  // Zones that are uneven already, for example because one lacks capacity, may stay so.
  const bound = Math.max(1, spreadOf(sizes));
  return [...sizes].flatMap(([zone, size]) =>
    size > 0 && spreadOf(new Map(sizes).set(zone, size - 1)) > bound ? [zone] : [],
  );
}

/** What keeps nodes although they may be empty, for the outcome of a pass. */
export function zoneWords(group: AutoScalingGroup): string {
  const zones = keptZones(group);
  return zones.length === 0
    ? ''
    : `; ${zones.join(', ')} keep theirs, because zones would be uneven without them and Auto Scaling would rebalance them (AZRebalance)`;
}

function sizesOf({ availabilityZones = [], instances }: AutoScalingGroup): ReadonlyMap<string, number> {
  const serving = Map.groupBy(instances.filter(isInService), ({ availabilityZone }) => availabilityZone);
  return new Map(availabilityZones.map((zone) => [zone, serving.get(zone)?.length ?? 0]));
}

const spreadOf = (sizes: ReadonlyMap<string, number>): number =>
  Math.max(...sizes.values()) - Math.min(...sizes.values());

import { utcSeconds } from './activities.ts';
import { placesOf } from './configuration.ts';
import { isSettled, markLeaving, membersWhere } from './members.ts';
import type { Group, Member } from './model.ts';
import { weightOf } from './weights.ts';
import { type AutoScalingWorld, isSuspended } from './world.ts';

/**
 * A settled group whose zones differ by more than one launches in the smaller zone before it terminates in the larger. With Launch suspended it
 * does neither (user guide, "Suspend and resume processes").
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-availability-zone-balanced.html
 */
export function rebalanceZones(world: AutoScalingWorld, group: Group): void {
  if (
    group.shiftedZone !== undefined ||
    !isSettled(group) ||
    isSuspended(group, 'AZRebalance') ||
    isSuspended(group, 'Launch')
  )
    return;
  const places = placesOf(world, group.settings);
  if (places.length < 2) return;
  const sizes = places.map(({ availabilityZone }) => group.counts.byZone.get(availabilityZone) ?? 0);
  const largest = Math.max(...sizes);
  const difference = largest - Math.min(...sizes);
  if (difference < 2) return;
  const zone = places[sizes.indexOf(largest)]?.availabilityZone;
  const [mover] = membersWhere(group, (member) => mayMove(member, zone));
  if (mover === undefined || difference < 2 * weightOf(mover)) return;
  const now = utcSeconds(world.clock.now());
  markLeaving(
    world,
    mover,
    `At ${now} an instance was taken out of service in response to availability zones being unbalanced.`,
  );
}

const mayMove = (member: Member, zone: string | undefined): boolean =>
  member.availabilityZone === zone && member.state === 'InService' && !member.protectedFromScaleIn;

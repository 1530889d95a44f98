import { utcSeconds } from './activities.ts';
import { endTerminationHooks, terminateMember } from './departures.ts';
import { autoScalingErrors } from './errors.ts';
import type { Group } from './model.ts';
import { type AutoScalingWorld, reconcileSoon } from './world.ts';

/**
 * Hooks hold no instance of a group that is deleted by force, also none that waits already: "This action also deletes any outstanding
 * lifecycle actions associated with the group" (API reference, DeleteAutoScalingGroup, ForceDelete).
 */
export function deleteGroup(world: AutoScalingWorld, group: Group, force: boolean): void {
  checkDeletable(group, force);
  group.deleting = 'pending';
  group.desired = 0;
  const cause = `At ${utcSeconds(world.clock.now())} a user request force deleted AutoScalingGroup changing the desired capacity to 0.`;
  for (const member of group.members.values()) {
    endTerminationHooks(world, member);
    terminateMember(world, member, { cause, skipHooks: true });
  }
  reconcileSoon(world, group);
}

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/resource-deletion-protection.html */
function checkDeletable(group: Group, force: boolean): void {
  const protection = group.settings.DeletionProtection ?? 'none';
  if (protection === 'prevent-all-deletion' || (force && protection === 'prevent-force-deletion')) {
    throw autoScalingErrors.resourceInUse(
      `You cannot delete the AutoScalingGroup while its deletion protection is set to ${protection}.`,
    );
  }
  if (force && group.settings.InstanceLifecyclePolicy?.RetentionTriggers?.TerminateHookAbandon === 'retain') {
    throw autoScalingErrors.validation(
      'You cannot force delete an AutoScalingGroup whose instance lifecycle policy retains instances.',
    );
  }
  if (!force && group.members.size > 0) {
    throw autoScalingErrors.resourceInUse(
      'You cannot delete an AutoScalingGroup while there are instances or pending Spot instance request(s) still in the group.',
    );
  }
}

/** A group that is being deleted goes with its last instance. */
export function removeDeleted(world: AutoScalingWorld, group: Group): void {
  if (group.deleting === 'no' || group.members.size > 0) return;
  world.groups.delete(group.name);
  world.formerActivities.push(...group.activities);
}

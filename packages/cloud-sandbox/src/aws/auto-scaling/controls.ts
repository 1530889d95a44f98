import { replaceAllUnhealthy } from './transitions.ts';
import { type AutoScalingWorld, findGroup, reconcileSoon } from './world.ts';

/** One instance that waits for one hook, with the times that no API of Auto Scaling shows. Epoch milliseconds. */
export interface HookWait {
  readonly instanceId: string;
  readonly lifecycleHookName: string;
  readonly heartbeatTimeoutSeconds: number;
  /** When the default result is taken unless a heartbeat comes. */
  readonly expiresAt: number;
  /** When it is taken in any case. */
  readonly globalDeadline: number;
}

/** What the rest of the simulation may ask besides calling Auto Scaling. */
export interface AutoScalingControls {
  /** Every wait for a hook, in the order in which they began. */
  waits(): readonly HookWait[];
  /** What the instance reads of itself as `autoscaling/target-lifecycle-state` is near this. Undefined if it is in no group. */
  lifecycleState(instanceId: string): string | undefined;
  /**
   * Begins a zonal shift of ARC away from a zone, or ends it without one. Nothing of Auto Scaling's API shows it. ARC itself is not simulated.
   * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-zonal-shift.html
   */
  shiftZone(autoScalingGroupName: string, awayFrom: string | undefined): void;
}

export const createControls = (world: AutoScalingWorld): AutoScalingControls => ({
  lifecycleState: (instanceId) => world.members.get(instanceId)?.state,
  shiftZone: (autoScalingGroupName, awayFrom) => {
    const group = findGroup(world, autoScalingGroupName);
    if (awayFrom !== undefined && group.settings.AvailabilityZoneImpairmentPolicy?.ZonalShiftEnabled !== true)
      throw new Error(`zonal shift is not enabled for ${autoScalingGroupName}`);
    group.shiftedZone = awayFrom;
    replaceAllUnhealthy(world, group.members.values());
    reconcileSoon(world, group);
  },
  waits: () =>
    [...world.actions.values()].map(({ member, hook, expiresAt, globalDeadline }) => ({
      instanceId: member.instanceId,
      lifecycleHookName: hook.name,
      heartbeatTimeoutSeconds: hook.heartbeatTimeoutSeconds,
      expiresAt,
      globalDeadline,
    })),
});

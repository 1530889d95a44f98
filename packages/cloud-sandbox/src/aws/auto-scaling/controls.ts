import type { AutoScalingWorld } from './world.ts';

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
}

export const createControls = (world: AutoScalingWorld): AutoScalingControls => ({
  lifecycleState: (instanceId) => world.members.get(instanceId)?.state,
  waits: () =>
    [...world.actions.values()].map(({ member, hook, expiresAt, globalDeadline }) => ({
      instanceId: member.instanceId,
      lifecycleHookName: hook.name,
      heartbeatTimeoutSeconds: hook.heartbeatTimeoutSeconds,
      expiresAt,
      globalDeadline,
    })),
});

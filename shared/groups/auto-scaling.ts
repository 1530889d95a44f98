import type {
  AutoScalingGroup,
  GroupInstance,
  LifecycleAction,
  LifecycleActionResult,
  LifecycleHook,
} from './group.ts';

/** Auto Scaling, as the passes need it. Methods reject with the SDK's error where AWS refuses. */
export interface AutoScaling {
  /**
   * The instance as its group sees it; undefined when it is in no group (any more). Many at once travel in one call. While it
   * waits, the answer may be some seconds old, but was not read before `notBefore`.
   */
  describeInstance(instanceId: string, notBefore?: number): Promise<GroupInstance | undefined>;
  /** May be some seconds old. Undefined when no group of that name carries this cluster's tag. */
  describeGroup(autoScalingGroupName: string): Promise<AutoScalingGroup | undefined>;
  /** Every group that carries this cluster's tag, of any role. May be some seconds old, but was not read before `notBefore`. */
  listGroups(notBefore?: number): Promise<readonly AutoScalingGroup[]>;
  /** May be a minute old. */
  describeHooks(autoScalingGroupName: string): Promise<readonly LifecycleHook[]>;
  recordHeartbeat(action: LifecycleAction): Promise<'recorded' | 'not-active'>;
  complete(action: LifecycleAction, result: LifecycleActionResult): Promise<'completed' | 'not-active'>;
  /** Hands an instance back: terminated through its hooks and replaced, for the desired capacity stays. */
  terminate(instanceId: string): Promise<'terminating' | 'not-in-group'>;
  /** Terminates an instance through its hooks and lowers the desired capacity. Rejects where it is unknown whether it does. */
  giveBack(instanceId: string): Promise<GiveBackAnswer>;
}

/**
 * - `busy`: an activity is in progress, which may be the end of this instance: an answer was lost;
 * - `refused`: nothing was done, as where the desired capacity is at MinSize;
 * - `denied`: nothing was done, and a person must allow it.
 */
export type GiveBackAnswer =
  | { readonly kind: 'terminating' }
  | { readonly kind: 'busy' | 'refused'; readonly reason: string }
  | { readonly kind: 'denied'; readonly error: unknown };

import type {
  AutoScalingGroup,
  GroupInstance,
  LifecycleAction,
  LifecycleActionResult,
  LifecycleHook,
} from './group.ts';

/** Auto Scaling refused a change, and did nothing, because the calls of the account come too fast. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';
}

/** Auto Scaling refused a change, and did nothing, because it changes the instance or its group already: the list that was read is older than that. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
}

/** Auto Scaling, as the passes use it. Methods reject with the error of the SDK if AWS refuses the call. */
export interface AutoScaling {
  /**
   * The instance in its group; undefined if it is not, or no longer, in a group. Many requests at the same time share one call. The
   * answer for a waiting instance may be some seconds old, but was not read before `notBefore`.
   */
  describeInstance(instanceId: string, notBefore?: number): Promise<GroupInstance | undefined>;
  /** May be some seconds old. Undefined if no group of that name has the tag of this cluster. */
  describeGroup(autoScalingGroupName: string): Promise<AutoScalingGroup | undefined>;
  /** Every group with the tag of this cluster, of any role. May be some seconds old, but was not read before `notBefore`. */
  listGroups(notBefore?: number): Promise<readonly AutoScalingGroup[]>;
  /** May be a minute old. */
  describeHooks(autoScalingGroupName: string): Promise<readonly LifecycleHook[]>;
  /** @throws ThrottledError */
  recordHeartbeat(action: LifecycleAction): Promise<'recorded' | 'not-active'>;
  /** @throws ThrottledError */
  complete(action: LifecycleAction, result: LifecycleActionResult): Promise<'completed' | 'not-active'>;
  /** Terminates an instance through its hooks. The desired capacity stays, so Auto Scaling replaces the instance. @throws BusyError */
  terminate(instanceId: string): Promise<'terminating' | 'not-in-group'>;
  /** Terminates an instance through its hooks and lowers the desired capacity. Rejects if it is unknown whether AWS did it. */
  giveBack(instanceId: string): Promise<GiveBackAnswer>;
}

/**
 * - `busy`: an activity is in progress. It may be the termination of this instance, if an earlier answer was lost;
 * - `refused`: nothing was done, for example because the desired capacity is at MinSize;
 * - `denied`: nothing was done, because a permission is missing.
 */
export type GiveBackAnswer =
  | { readonly kind: 'terminating' }
  | { readonly kind: 'busy' | 'refused'; readonly reason: string }
  | { readonly kind: 'denied'; readonly error: unknown };

/**
 * Adds to the groups those of these instances that they do not list. DescribeAutoScalingGroups does not list instances that are in
 * a warm pool or on their way to one, so they are described by their ids.
 *
 * @throws if one of them cannot be described.
 */
export async function withWarmPools(
  autoScaling: Pick<AutoScaling, 'describeInstance'>,
  groups: readonly AutoScalingGroup[],
  instanceIds: readonly string[],
): Promise<readonly AutoScalingGroup[]> {
  const described = await Promise.all(
    unlistedIn(groups, instanceIds).map((instanceId) => autoScaling.describeInstance(instanceId)),
  );
  return withInstances(groups, described);
}

/** The instances among these that no group lists. */
export function unlistedIn(
  groups: readonly AutoScalingGroup[],
  instanceIds: readonly string[],
): readonly string[] {
  const listed = new Set(groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
  return instanceIds.filter((instanceId) => !listed.has(instanceId));
}

/** The groups with these instances added. An instance of another group is left out. */
export function withInstances(
  groups: readonly AutoScalingGroup[],
  described: Iterable<GroupInstance | undefined>,
): readonly AutoScalingGroup[] {
  const found = [...described].filter((instance) => instance !== undefined);
  return groups.map((group) => ({
    ...group,
    instances: [
      ...group.instances,
      ...found.filter(({ autoScalingGroupName }) => autoScalingGroupName === group.autoScalingGroupName),
    ],
  }));
}

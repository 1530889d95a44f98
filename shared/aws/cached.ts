import type { Clock } from '../base/clock.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { AutoScalingGroup, GroupInstance, GroupMember } from '../groups/group.ts';
import { groupNamed } from './auto-scaling.ts';

/**
 * Keeps what was read for a while, for things that change rarely and that every pass reads. It keeps no failure, and no answer
 * that `keeps` rejects. With `notBefore` (epoch milliseconds) a caller refuses answers that were read earlier.
 */
export function cached<Key, Value>(options: {
  readonly clock: Clock;
  readonly seconds: number;
  readonly read: (key: Key) => Promise<Value>;
  readonly keeps?: (value: Value) => boolean;
}): (key: Key, notBefore?: number) => Promise<Value> {
  const entries = new Map<Key, { readonly readAt: number; readonly value: Promise<Value> }>();
  return (key, notBefore = -Infinity) => {
    const entry = entries.get(key);
    const now = options.clock.now();
    const oldest = Math.max(notBefore, now - options.seconds * 1000 + 1);
    // A clock that was set back would keep it until it has caught up.
    if (entry !== undefined && entry.readAt >= oldest && entry.readAt <= now) return entry.value;
    const value = options.read(key);
    entries.set(key, { readAt: options.clock.now(), value });
    const forget = (): void => {
      if (entries.get(key)?.value === value) entries.delete(key);
    };
    value.then((answer) => (options.keeps?.(answer) === false ? forget() : undefined), forget);
    return value;
  };
}

/** Each pass reads its group. A change of the group's tags is seen after this time. */
const groupsSeconds = 20;
/** A group that is missing from the kept list may be new, or newly tagged: the list is read again after this time. */
const unknownGroupSeconds = 5;
const hooksSeconds = 60;

/** Keeps what Auto Scaling answered about groups and hooks for a short time, so that the passes of an environment share it. */
export function withFewerCalls(autoScaling: AutoScaling, clock: Clock): AutoScaling {
  const kept = cached<'groups', readonly AutoScalingGroup[]>({
    clock,
    seconds: groupsSeconds,
    read: () => autoScaling.listGroups(),
  });
  const listGroups = (notBefore?: number) => kept('groups', notBefore);
  return {
    ...autoScaling,
    listGroups,
    describeGroup: async (name) =>
      groupNamed(await listGroups(), name) ??
      groupNamed(await listGroups(clock.now() - unknownGroupSeconds * 1000 + 1), name),
    describeHooks: cached({ clock, seconds: hooksSeconds, read: (name) => autoScaling.describeHooks(name) }),
  };
}

/** A wait that ends meanwhile is noticed by the call that is meant for it: Auto Scaling answers that nothing waits. */
const waitingSeconds = 20;

/**
 * Keeps answers about instances that wait as well, so that consecutive passes over one wait share them. The kept list of groups,
 * which every pass reads, shows the instances that wait: only those that it does not show are asked for.
 */
export function withFewerCallsWhileWaiting(
  autoScaling: AutoScaling,
  { clock, waits }: { readonly clock: Clock; readonly waits: (instance: GroupMember) => boolean },
): AutoScaling {
  const fewer = withFewerCalls(autoScaling, clock);
  const describeInstance = cached({
    clock,
    seconds: waitingSeconds,
    read: (instanceId: string) => autoScaling.describeInstance(instanceId),
    keeps: (instance) => instance !== undefined && waits(instance),
  });
  const waitingMember = (
    groups: readonly AutoScalingGroup[],
    instanceId: string,
  ): GroupInstance | undefined => {
    for (const { autoScalingGroupName, instances } of groups) {
      const member = instances.find((one) => one.instanceId === instanceId);
      if (member) return waits(member) ? { ...member, autoScalingGroupName } : undefined;
    }
    return undefined;
  };
  return {
    ...fewer,
    describeInstance: async (instanceId, notBefore) =>
      (notBefore === undefined ? waitingMember(await fewer.listGroups(), instanceId) : undefined) ??
      (await describeInstance(instanceId, notBefore)),
  };
}

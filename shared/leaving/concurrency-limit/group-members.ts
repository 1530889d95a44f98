import type { AutoScalingGroup, GroupInstance } from '../../groups/group.ts';
import { isTerminatingWait } from '../../groups/lifecycle-state.ts';
import { byInstanceId } from './free-slots.ts';

/** The instances of a group by their ids. */
export const membersOf = oncePerKey(
  ({ autoScalingGroupName, instances }: AutoScalingGroup): ReadonlyMap<string, GroupInstance> =>
    new Map(instances.map((member) => [member.instanceId, { ...member, autoScalingGroupName }])),
);

/** The instances of a group in Terminating:Wait, in the order of their ids. */
export const waitingOf = oncePerKey((group: AutoScalingGroup): readonly GroupInstance[] =>
  [...membersOf(group).values()].filter(isTerminatingWait).toSorted(byInstanceId),
);

/** Many passes use the same group, of up to a thousand instances: the first of them computes the value for all. */
function oncePerKey<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const entry = known.get(key) ?? { value: compute(key) };
    known.set(key, entry);
    return entry.value;
  };
}

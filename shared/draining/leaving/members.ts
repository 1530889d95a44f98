import type { AutoScalingGroup, GroupInstance, GroupMember } from '../../lifecycle/group.ts';
import { byInstanceId } from './places.ts';

export const isWaiting = ({ lifecycleState }: GroupMember): boolean =>
  lifecycleState.endsWith('Terminating:Wait');

/** The instances of a group by their ids. */
export const membersOf = oncePer(
  ({ autoScalingGroupName, instances }: AutoScalingGroup): ReadonlyMap<string, GroupInstance> =>
    new Map(instances.map((member) => [member.instanceId, { ...member, autoScalingGroupName }])),
);

/** Those of a group that wait to leave, in the order of their ids. */
export const waitingOf = oncePer((group: AutoScalingGroup): readonly GroupInstance[] =>
  [...membersOf(group).values()].filter(isWaiting).toSorted(byInstanceId),
);

/** Passes side by side look at the very same group, of a thousand instances maybe: it is read for the first of them. */
function oncePer<Key extends object, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const entry = known.get(key) ?? { value: read(key) };
    known.set(key, entry);
    return entry.value;
  };
}

import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import { tagValues } from '../../../adopt/plan/role.ts';
import type { Refusal } from '../../../adopt/plan/step.ts';
import type { MigrationWishes, NthGroup, QueueRule } from '../observation.ts';
import { readRecord } from '../record.ts';
import { isHeardElsewhere } from './hooks.ts';

export const unreadableRecord = (subject: string): Refusal => ({
  subject,
  reason:
    'the record of its migration in the tags drover.dev/migrated-nth cannot be read: one of them was changed or removed',
  remedy: 'restore the tags, or hand the group over by hand: docs/adopt.md',
});

export const unknownGroup = (name: string): Refusal => ({
  subject: name,
  reason: 'there is no Auto Scaling group of this name in the account and region',
  remedy: 'aws autoscaling describe-auto-scaling-groups --query AutoScalingGroups[].AutoScalingGroupName',
});

/** If its hook stayed, each instance would wait on it until it runs out, because nothing completes it any more. */
export function unclearHooks(
  subject: string,
  hooks: readonly LifecycleHook[],
  rules: readonly QueueRule[] | undefined,
): Refusal {
  const names = hooks.map(({ lifecycleHookName }) => lifecycleHookName).join(', ');
  const on = `on ${hooks[0]?.transition} instances may be the handler’s: ${names}`;
  const remedy = 'name those that only the handler completes with --hook';
  if (!isHeardElsewhere(rules)) return { subject, reason: `several hooks ${on}`, remedy };
  return {
    subject,
    reason: `hooks ${on}. No rule of this account and region sends events to its queue, so that it is not known how it gets them`,
    remedy: `${remedy}; if it completes none, drover adopt`,
  };
}

/** Names of `--hook` that no group has or had: with a mistyped one, the handler's hook would stay. */
export function unknownHooks(
  groups: readonly NthGroup[],
  { hooks, isOneOfSeveral }: MigrationWishes,
): readonly Refusal[] {
  if (isOneOfSeveral || groups.length === 0) return [];
  const known = groups.flatMap(({ group }) => {
    const reading = readRecord(tagValues(group));
    const recorded = reading.kind === 'record' ? reading.record.hooks : [];
    return [...group.hooks, ...recorded].map(({ lifecycleHookName }) => lifecycleHookName);
  });
  return hooks
    .filter((name) => !known.includes(name))
    .map((name) => ({
      subject: `--hook ${name}`,
      reason: 'none of the groups has a hook of this name',
      remedy: 'aws autoscaling describe-lifecycle-hooks --auto-scaling-group-name GROUP',
    }));
}

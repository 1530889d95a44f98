import { durationText } from '../../shared/base/duration.ts';
import { type AutoScalingGroup, type LifecycleHook, roleOf } from '../../shared/groups/group.ts';
import { hookProblems } from '../../shared/problems/hook-problems.ts';
import { autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { hooksOf, managedGroups } from '../auto-scaling/groups.ts';
import type { CliContext } from '../context.ts';
import type { ListingFlags } from '../listing/flags.ts';
import { printListing } from '../listing/print.ts';
import { oneLine } from '../plain-text.ts';
import { named, type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';

export type ListFlags = AutoScalingFlags & ListingFlags;

interface GroupHooks {
  readonly autoScalingGroupName: string;
  readonly role: string;
  readonly hooks: readonly LifecycleHook[];
  readonly problems: readonly string[];
}

/** The managed groups, or one of them, with their hooks and what is wrong with these. */
export async function listHooks(
  name: string | undefined,
  flags: ListFlags,
  context: CliContext,
): Promise<void> {
  const access = autoScalingAccess(flags, context);
  const groups = await managedGroups(access, name);
  const hooks = await hooksOf(access, groups);
  const lines = groups.map((group) =>
    toGroupHooks(group, hooks.get(group.autoScalingGroupName) ?? [], (its) =>
      hookProblems(group, its, access).map(({ message }) => message),
    ),
  );
  const listing = {
    data: lines,
    names: lines.flatMap(namesOf),
    text: (view: TableView) => hooksText(lines, view),
  };
  await printListing(listing, flags, context);
}

const toGroupHooks = (
  group: AutoScalingGroup,
  hooks: readonly LifecycleHook[],
  problemsOf: (hooks: readonly LifecycleHook[]) => readonly string[],
): GroupHooks => ({
  autoScalingGroupName: group.autoScalingGroupName,
  role: roleOf(group) ?? '',
  hooks,
  problems: problemsOf(hooks),
});

const namesOf = ({ autoScalingGroupName, hooks }: GroupHooks): readonly string[] =>
  hooks.map(({ lifecycleHookName }) => `${autoScalingGroupName} ${lifecycleHookName}`);

const head = [
  named('GROUP'),
  { head: 'ROLE', leftOut: 3 },
  'HOOK',
  'TRANSITION',
  { head: 'HEARTBEAT', leftOut: 1 },
  { head: 'AT MOST', leftOut: 2 },
  'DEFAULT',
];

/** A line for each hook; a group without any has one too. Problems follow below. */
function hooksText(groups: readonly GroupHooks[], view: TableView): string {
  const rows = groups.flatMap((group) => {
    const named = [group.autoScalingGroupName, group.role];
    return group.hooks.length > 0
      ? group.hooks.map((hook) => [...named, ...hookColumns(hook)])
      : [[...named, '-', '-', '-', '-', '-']];
  });
  const problems = groups.flatMap((group) =>
    group.problems.map((problem) => `${oneLine(`${group.autoScalingGroupName}: ${problem}`)}\n`),
  );
  return `${tableText(head, rows, view)}${problems.length > 0 ? '\n' : ''}${problems.join('')}`;
}

const hookColumns = (hook: LifecycleHook): readonly string[] => [
  hook.lifecycleHookName,
  hook.transition,
  durationText(hook.heartbeatTimeoutSeconds),
  durationText(hook.globalTimeoutSeconds),
  hook.defaultResult,
];

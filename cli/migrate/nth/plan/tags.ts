import { durationText } from '../../../../shared/base/duration.ts';
import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import { clusterTag } from '../../../../shared/groups/group.ts';
import type { QueueRule } from '../observation.ts';
import { flagIn, type NthSettings } from '../settings/settings.ts';
import { drainsOnRebalance } from './hooks.ts';
import { holdSecondsOf } from './times.ts';

const optionalKeys = [
  'drover.dev/drain-timeout',
  'drover.dev/on-failure',
  'drover.dev/delete-emptydir-data',
  'drover.dev/ignore-daemonsets',
  'drover.dev/drain-on-rebalance',
] as const;

/** Every tag of Drover that a migration may set. */
export const keysOfMigration = (clusterName: string): readonly string[] => [
  clusterTag(clusterName),
  'drover.dev/role',
  ...optionalKeys,
];

/** The tags with which Drover drains the nodes of a group as the handler did. Pure. */
export function tagsLike(
  settings: NthSettings,
  hooks: readonly LifecycleHook[],
  rules: readonly QueueRule[] | undefined,
): ReadonlyMap<string, string> {
  const terminating = hooks.filter(({ transition }) => transition === 'terminating');
  const held = terminating.map((hook) => holdSecondsOf(hook, settings));
  const values: Readonly<Record<(typeof optionalKeys)[number], string | undefined>> = {
    'drover.dev/drain-timeout': held.length === 0 ? undefined : durationText(Math.min(...held)),
    'drover.dev/on-failure': terminating.some(({ defaultResult }) => defaultResult === 'ABANDON')
      ? 'ABANDON'
      : undefined,
    'drover.dev/delete-emptydir-data': flagIn(settings, 'deleteLocalData') === false ? 'false' : undefined,
    'drover.dev/ignore-daemonsets': flagIn(settings, 'ignoreDaemonSets') === false ? 'false' : undefined,
    'drover.dev/drain-on-rebalance': isDrainedOnRebalance(settings, rules) ? 'true' : undefined,
  };
  return new Map(
    Object.entries(values).flatMap(([key, value]): [string, string][] =>
      value === undefined ? [] : [[key, value]],
    ),
  );
}

function isDrainedOnRebalance(settings: NthSettings, rules: readonly QueueRule[] | undefined): boolean {
  return flagIn(settings, 'enableSqsTerminationDraining')
    ? drainsOnRebalance(rules) === true
    : flagIn(settings, 'enableRebalanceDraining') === true;
}

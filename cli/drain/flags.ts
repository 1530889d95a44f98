import { type Command, InvalidArgumentError } from 'commander';
import { messageOf } from '../../shared/base/message-of.ts';
import type { LabelRequirement } from '../../shared/draining/label-selector.ts';
import { parseLabelSelector } from '../../shared/draining/parse-label-selector.ts';
import { type DrainOptions, kubectlDefaults } from '../../shared/draining/pod-filters.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import { durationSeconds, wholeNumber } from '../durations.ts';
import { type RoomFlags, withRoomFlag } from '../room/flags.ts';

/** The flags of `drover drain` as commander hands them over. */
export interface DrainFlags extends ClusterFlags, Pick<RoomFlags, 'room'> {
  readonly dryRun?: true;
  readonly json?: true;
  readonly ignoreDaemonsets?: true;
  readonly deleteEmptydirData?: true;
  readonly force?: true;
  readonly disableEviction?: true;
  readonly gracePeriod: number;
  readonly skipWaitForDeleteTimeout: number;
  readonly podSelector?: readonly LabelRequirement[];
  readonly timeout: number;
  readonly deadline?: number;
}

/** Adds the flags; those of kubectl drain mean what they mean there. */
export const withDrainFlags = (command: Command): Command =>
  withRoomFlag(
    command.option('--dry-run', 'show what would happen to each pod, and change nothing'),
    '--dry-run',
  )
    .option('--json', 'print the plan as JSON; without --dry-run, then one JSON object per line')
    .option('--ignore-daemonsets', 'do not evict pods of DaemonSets')
    .option('--delete-emptydir-data', 'drain pods with emptyDir volumes too; their data is lost')
    .option('--force', 'drain pods without a controller too; they are not recreated')
    .option('--disable-eviction', 'delete pods past their PodDisruptionBudgets from the start')
    .option(
      '--grace-period <seconds>',
      'the grace period of every pod; negative: each pod’s own',
      wholeNumber,
      -1,
    )
    .option(
      '--skip-wait-for-delete-timeout <seconds>',
      'ignore pods that should have been gone for longer than this; 0: wait for all',
      wholeNumber,
      0,
    )
    .option('--pod-selector <selector>', 'only pods with such labels', selector)
    .option('--timeout <duration>', 'give up after this time, such as 5m; 0: never', durationSeconds, 0)
    .option(
      '--deadline <duration>',
      'delete pods in time for the node to be empty after this time',
      durationSeconds,
    );

function selector(text: string): readonly LabelRequirement[] {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

/** The options of the plan that the flags mean. */
export const drainOptionsOf = (flags: DrainFlags): DrainOptions => ({
  ...kubectlDefaults,
  ignoreDaemonSets: flags.ignoreDaemonsets === true,
  deleteEmptyDirData: flags.deleteEmptydirData === true,
  force: flags.force === true,
  disableEviction: flags.disableEviction === true,
  skipWaitForDeleteTimeoutSeconds: flags.skipWaitForDeleteTimeout,
  ...(flags.podSelector && { podSelector: flags.podSelector }),
  ...(flags.gracePeriod >= 0 && { gracePeriodSeconds: flags.gracePeriod }),
});

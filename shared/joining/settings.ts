import { parseDurationSeconds } from '../base/duration.ts';
import type { TagRules } from '../lifecycle/group-settings.ts';
import { longestGlobalTimeoutSeconds } from '../lifecycle/hook-timing.ts';

/** How nodes of a group join: the deployment's defaults, overridden by the group's tags. */
export interface JoiningSettings {
  /** From the launch action to the moment when the instance should be ready. */
  readonly joinTimeoutSeconds: number;
  /** After so long an instance that is launched into a warm pool is ready for it. Absent: it completes the hook itself. */
  readonly warmPoolWaitSeconds?: number;
}

/** Every tag that changes how a node joins, with what it may say. */
export const joiningTags: TagRules<JoiningSettings> = {
  'drover.dev/join-timeout': {
    allowed: 'a duration from 1m to 2d, such as 12m',
    read: (value) => {
      const seconds = wholeSeconds(value, 60);
      return seconds === undefined ? undefined : { joinTimeoutSeconds: seconds };
    },
  },
  'drover.dev/warm-pool-wait': {
    allowed: 'a duration from 1s to 2d, such as 5m',
    read: (value) => {
      const seconds = wholeSeconds(value, 1);
      return seconds === undefined ? undefined : { warmPoolWaitSeconds: seconds };
    },
  },
};

function wholeSeconds(value: string, least: number): number | undefined {
  const seconds = parseDurationSeconds(value);
  if (seconds === undefined || !Number.isInteger(seconds)) return undefined;
  return seconds >= least && seconds <= longestGlobalTimeoutSeconds ? seconds : undefined;
}

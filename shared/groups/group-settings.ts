import { parseDurationSeconds } from '../base/duration.ts';
import type { LifecycleActionResult } from './group.ts';
import { longestGlobalTimeoutSeconds } from './hook-timing.ts';

/** How nodes of a group leave: the deployment's defaults, overridden by the group's tags. */
export interface LeavingSettings {
  /** From the mark on the Node to the moment when the last pod must be gone. */
  readonly drainTimeoutSeconds: number;
  /** The result of the hook when the drain has failed at its deadline. */
  readonly onFailure: LifecycleActionResult;
  readonly ignoreDaemonSets: boolean;
  readonly deleteEmptyDirData: boolean;
  readonly force: boolean;
  /** At most so many nodes of the group leave at once where there is time to choose. */
  readonly maxLeaving: number;
  /** Whether EC2's rebalance recommendations make a node leave. */
  readonly drainOnRebalance: boolean;
}

type Reader = (value: string) => Partial<LeavingSettings> | undefined;

const flag =
  (key: 'ignoreDaemonSets' | 'deleteEmptyDirData' | 'force' | 'drainOnRebalance'): Reader =>
  (value) =>
    value === 'true' ? { [key]: true } : value === 'false' ? { [key]: false } : undefined;

const whole = (value: string): number | undefined =>
  /^[1-9]\d{0,4}$/.test(value) ? Number(value) : undefined;

/** Tags of a group by their keys: what each may say, and the settings that it changes. */
export type TagRules<Settings> = Readonly<
  Record<
    string,
    { readonly allowed: string; readonly read: (value: string) => Partial<Settings> | undefined }
  >
>;

/** Every tag that changes how a node leaves, with what it may say. */
export const leavingTags: TagRules<LeavingSettings> = {
  'drover.dev/drain-timeout': {
    allowed: 'a duration from 30s to 2d, such as 900, 15m or 2h',
    read: (value) => {
      const seconds = parseDurationSeconds(value);
      if (seconds === undefined || !Number.isInteger(seconds)) return undefined;
      const inBounds = seconds >= 30 && seconds <= longestGlobalTimeoutSeconds;
      return inBounds ? { drainTimeoutSeconds: seconds } : undefined;
    },
  },
  'drover.dev/on-failure': {
    allowed: 'CONTINUE or ABANDON',
    read: (value) => (value === 'CONTINUE' || value === 'ABANDON' ? { onFailure: value } : undefined),
  },
  'drover.dev/ignore-daemonsets': { allowed: 'true or false', read: flag('ignoreDaemonSets') },
  'drover.dev/delete-emptydir-data': { allowed: 'true or false', read: flag('deleteEmptyDirData') },
  'drover.dev/force': { allowed: 'true or false', read: flag('force') },
  'drover.dev/drain-on-rebalance': { allowed: 'true or false', read: flag('drainOnRebalance') },
  'drover.dev/max-leaving': {
    allowed: 'a whole number from 1 to 99999',
    read: (value) => {
      const count = whole(value);
      return count === undefined ? undefined : { maxLeaving: count };
    },
  },
};

/** How nodes of one group leave. */
export const readLeavingSettings = (
  tags: Readonly<Record<string, string>>,
  defaults: LeavingSettings,
): ReadSettings<LeavingSettings> => readSettings(leavingTags, { tags, defaults });

interface ReadSettings<Settings> {
  readonly settings: Settings;
  readonly problems: readonly string[];
}

/**
 * The settings of one group. For a tag that cannot be read the default holds, and `problems` names the tag: a typing mistake must
 * not keep an instance waiting.
 */
export function readSettings<Settings extends object>(
  rules: TagRules<Settings>,
  { tags, defaults }: { readonly tags: Readonly<Record<string, string>>; readonly defaults: Settings },
): ReadSettings<Settings> {
  const problems: string[] = [];
  const settings = Object.entries(rules).reduce((current, [key, rule]) => {
    const value = tags[key];
    if (value === undefined) return current;
    const read = rule.read(value);
    if (read === undefined)
      problems.push(`tag ${key} says something else than ${rule.allowed}; the default holds`);
    return { ...current, ...read };
  }, defaults);
  return { settings, problems };
}

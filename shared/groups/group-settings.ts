import { parseDurationSeconds } from '../base/duration.ts';
import { eksNodegroupOf, type LifecycleActionResult, roleOf } from './group.ts';
import { longestGlobalTimeoutSeconds } from './hook-timing.ts';

/** How nodes of a group leave: the defaults of the deployment, overridden by the tags of the group. */
export interface LeavingSettings {
  /** From the mark on the Node until the last pod must be gone. */
  readonly drainTimeoutSeconds: number;
  /** The result of the hook if the drain is not complete at its deadline. */
  readonly onFailure: LifecycleActionResult;
  readonly ignoreDaemonSets: boolean;
  readonly deleteEmptyDirData: boolean;
  readonly force: boolean;
  /** How many nodes of the group may leave at once, if there is time to choose. */
  readonly maxLeaving: number;
  /** Whether EC2's rebalance recommendations make a node leave. */
  readonly drainOnRebalance: boolean;
  /** Whether a worker that Auto Scaling replaces is drained only once its replacement serves. */
  readonly awaitReplacement: boolean;
  /** For how long annotations of pods that ask to finish are honoured. */
  readonly annotationTimeoutSeconds: number;
}

/** Longer than any wait on a hook; a node that is not repaired for a week has an operator. */
export const longestAnnotationSeconds = 7 * 86_400;

type Reader = (value: string) => Partial<LeavingSettings> | undefined;

const flag =
  (
    key: 'ignoreDaemonSets' | 'deleteEmptyDirData' | 'force' | 'drainOnRebalance' | 'awaitReplacement',
  ): Reader =>
  (value) =>
    value === 'true' ? { [key]: true } : value === 'false' ? { [key]: false } : undefined;

const whole = (value: string): number | undefined =>
  /^[1-9]\d{0,4}$/.test(value) ? Number(value) : undefined;

/** Tags of a group by key: the allowed values, and the settings that each changes. */
export type TagRules<Settings> = Readonly<
  Record<
    string,
    { readonly allowed: string; readonly read: (value: string) => Partial<Settings> | undefined }
  >
>;

/** Every tag that changes how a node leaves. */
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
  'drover.dev/await-replacement': { allowed: 'true or false', read: flag('awaitReplacement') },
  'drover.dev/annotation-timeout': {
    allowed: 'a duration from 0s to 7d, such as 0, 90m or 24h',
    read: (value) => {
      const seconds = parseDurationSeconds(value);
      const isWhole =
        seconds !== undefined && Number.isInteger(seconds) && seconds <= longestAnnotationSeconds;
      return isWhole ? { annotationTimeoutSeconds: seconds } : undefined;
    },
  },
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
 * The settings of one group. A tag that cannot be read keeps the default and is named in `problems`: a typing mistake must not keep
 * an instance waiting.
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
    if (read === undefined) problems.push(`tag ${key} is not ${rule.allowed}; the default applies`);
    return { ...current, ...read };
  }, defaults);
  return { settings, problems };
}

/** The tag of groups whose empty nodes are given back as soon as the last hold has ended. */
export const giveBackTagKey = 'drover.dev/give-back-empty';

/** The tag with the first part of what a group had before `drover migrate nth`; the other parts have a number behind it. */
export const migratedTagKey = 'drover.dev/migrated-nth';

/** Whether the tag has a part of that record. */
export const isMigratedTag = (key: string): boolean => /^drover\.dev\/migrated-nth(?:-\d{1,2})?$/.test(key);

type Tags = Readonly<Record<string, string>>;

interface ReadGiveBack {
  readonly isOn: boolean;
  readonly problems: readonly string[];
}

/** Whether empty nodes of a group with these tags are given back. If the tag cannot be read they are not, and `problems` names it. */
export function readGiveBack(tags: Tags): ReadGiveBack {
  const value = tags[giveBackTagKey];
  if (value === undefined || value === 'false') return { isOn: false, problems: [] };
  if (value !== 'true') return off('is not true or false; nothing is given back');
  if (roleOf({ tags }) !== 'worker')
    return off(
      'does nothing: Drover gives back only workers, because other nodes may be members of a quorum',
    );
  return eksNodegroupOf({ tags }) === undefined
    ? { isOn: true, problems: [] }
    : off(
        'does nothing: only EKS changes the size of its node groups, and it chooses the instance to remove',
      );
}

const off = (why: string): ReadGiveBack => ({ isOn: false, problems: [`tag ${giveBackTagKey} ${why}`] });

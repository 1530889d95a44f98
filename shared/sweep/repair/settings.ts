import { parseDurationSeconds } from '../../base/duration.ts';
import { eksNodegroupOf, leavesOneAtATime, roleOf } from '../../groups/group.ts';
import { longestGlobalTimeoutSeconds } from '../../groups/hook-timing.ts';

/** The tag with which a group asks for repair. Nothing is repaired without it. */
export const repairTagKey = 'drover.dev/repair';

/** What the tag may say. */
export const allowedRepairs =
  'CONDITION=DURATION, several with spaces or commas between, such as NotReady=10m KernelReadonlyFilesystem=5m; durations from 1m to 2d';

/** How long a Node may have a condition before its instance is replaced. */
export interface RepairRule {
  /** `NotReady`, or the type of a condition. */
  readonly condition: string;
  readonly seconds: number;
}

type Tags = Readonly<Record<string, string>>;

export interface ReadRepair {
  /** Empty: nothing is repaired. */
  readonly rules: readonly RepairRule[];
  readonly problems: readonly string[];
}

/** How the nodes of a group with these tags are repaired. A tag that cannot be read repairs nothing, and `problems` names it. Pure. */
export function readRepair(tags: Tags): ReadRepair {
  const value = tags[repairTagKey];
  if (value === undefined) return { rules: [], problems: [] };
  const obstacle = obstacleOf(tags);
  if (obstacle) return { rules: [], problems: [`tag ${repairTagKey} does nothing: ${obstacle}`] };
  const rules = readRules(value);
  return rules
    ? { rules, problems: [] }
    : {
        rules: [],
        problems: [`tag ${repairTagKey} says something else than ${allowedRepairs}; nothing is repaired`],
      };
}

/** Members of a quorum are replaced by a person, and the nodes of EKS's own groups by EKS. */
function obstacleOf(tags: Tags): string | undefined {
  if (leavesOneAtATime({ tags }))
    return `Drover repairs no ${roleOf({ tags })}, because a replacement could cost the quorum`;
  return eksNodegroupOf({ tags }) === undefined
    ? undefined
    : 'EKS repairs the nodes of its managed node groups';
}

/** Undefined where one of them cannot be read, or where two speak of one condition. */
function readRules(value: string): readonly RepairRule[] | undefined {
  const rules = value
    .split(/[ ,]+/)
    .filter((word) => word !== '')
    .map(readRule);
  const read = rules.filter((rule) => rule !== undefined);
  const conditions = new Set(read.map(({ condition }) => condition));
  return rules.length > 0 && conditions.size === rules.length ? read : undefined;
}

/** `Ready` is what a node should be. A rule for it would be read both ways. */
function readRule(word: string): RepairRule | undefined {
  const [, condition, duration] = /^([A-Za-z][\w./-]{0,315})=(\w+)$/.exec(word) ?? [];
  if (condition === undefined || duration === undefined || condition === 'Ready') return undefined;
  const seconds = parseDurationSeconds(duration);
  if (seconds === undefined || !Number.isInteger(seconds)) return undefined;
  return seconds >= 60 && seconds <= longestGlobalTimeoutSeconds ? { condition, seconds } : undefined;
}

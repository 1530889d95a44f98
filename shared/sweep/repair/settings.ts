import { parseDurationSeconds } from '../../base/duration.ts';
import { eksNodegroupOf, leavesOneAtATime, roleOf } from '../../groups/group.ts';
import { longestGlobalTimeoutSeconds } from '../../groups/hook-timing.ts';
import { type MaintenanceWindow, parseWindow } from '../../roll/window.ts';

/** The tag that turns on repair for a group. */
export const repairTagKey = 'drover.dev/repair';

/** The allowed values of the tag. */
export const allowedRepairs =
  'CONDITION=DURATION, several separated by spaces or commas, such as NotReady=10m KernelReadonlyFilesystem=5m; durations from 1m to 2d';

/** The tag that binds the repair of nodes which are still Ready to a window. */
export const repairWindowTagKey = 'drover.dev/repair-window';

/** The allowed values of that tag. */
export const allowedRepairWindows =
  'times of the week, several separated by semicolons, such as Mon-Fri 09:00-16:00 Europe/Berlin';

/** How long a Node may have a condition before its instance is replaced. */
export interface RepairRule {
  /** `NotReady`, or the type of a condition. */
  readonly condition: string;
  readonly seconds: number;
}

type Tags = Readonly<Record<string, string>>;

interface ReadRepair {
  /** If empty, nothing is repaired. */
  readonly rules: readonly RepairRule[];
  /** When nodes that are still Ready may be replaced; undefined for at any time. */
  readonly window?: MaintenanceWindow | 'unreadable';
  readonly problems: readonly string[];
}

/**
 * How the nodes of a group with these tags are repaired. If the tag of repair cannot be read, nothing is repaired. If that of its window cannot
 * be read, nodes that are still Ready are not replaced: its operator does not want them to be replaced at any time. `problems` names the tags.
 */
export function readRepair(tags: Tags): ReadRepair {
  const repair = readRulesOf(tags);
  const value = tags[repairWindowTagKey];
  if (value === undefined) return repair;
  if (tags[repairTagKey] === undefined)
    return {
      ...repair,
      problems: [`tag ${repairWindowTagKey} does nothing: the group has no tag ${repairTagKey}`],
    };
  const reading = parseWindow(value);
  if (reading.kind === 'window') return { ...repair, window: reading.window };
  const problem = `tag ${repairWindowTagKey} is not ${allowedRepairWindows} (${reading.why}); nodes that are still Ready are not repaired`;
  return { ...repair, window: 'unreadable', problems: [...repair.problems, problem] };
}

function readRulesOf(tags: Tags): Pick<ReadRepair, 'rules' | 'problems'> {
  const value = tags[repairTagKey];
  if (value === undefined) return { rules: [], problems: [] };
  const obstacle = obstacleOf(tags);
  if (obstacle) return { rules: [], problems: [`tag ${repairTagKey} does nothing: ${obstacle}`] };
  const rules = readRules(value);
  return rules
    ? { rules, problems: [] }
    : {
        rules: [],
        problems: [`tag ${repairTagKey} is not ${allowedRepairs}; nothing is repaired`],
      };
}

/** The operator replaces members of a quorum, and EKS replaces the nodes of its managed node groups. */
function obstacleOf(tags: Tags): string | undefined {
  if (leavesOneAtATime({ tags }))
    return `Drover does not repair nodes with the role ${roleOf({ tags })}, because a replacement could cost the quorum`;
  return eksNodegroupOf({ tags }) === undefined
    ? undefined
    : 'EKS repairs the nodes of its managed node groups';
}

/** The rules in the value; undefined if one of them cannot be read, or if two have the same condition. */
function readRules(value: string): readonly RepairRule[] | undefined {
  const rules = value
    .split(/[ ,]+/)
    .filter((word) => word !== '')
    .map(readRule);
  const read = rules.filter((rule) => rule !== undefined);
  const conditions = new Set(read.map(({ condition }) => condition));
  return rules.length > 0 && conditions.size === rules.length ? read : undefined;
}

/** Reads one rule. `Ready` is refused, because it is not clear whether such a rule means Ready or not Ready. */
function readRule(word: string): RepairRule | undefined {
  const [, condition, duration] = /^([A-Za-z][\w./-]{0,315})=(\w+)$/.exec(word) ?? [];
  if (condition === undefined || duration === undefined || condition === 'Ready') return undefined;
  const seconds = parseDurationSeconds(duration);
  if (seconds === undefined || !Number.isInteger(seconds)) return undefined;
  return seconds >= 60 && seconds <= longestGlobalTimeoutSeconds ? { condition, seconds } : undefined;
}

import { shellWord } from '../base/shell-words.ts';
import { type AutoScalingGroup, eksNodegroupOf } from '../groups/group.ts';
import { describePause, pauseOf } from '../passes/pause.ts';
import type { FailedLaunches, TargetReading } from './launches.ts';
import type { Criterion } from './roll.ts';

/** What is wrong with a group or an alarm of a roll, or worth knowing before nodes are replaced. */
export interface Finding {
  /** `refuses`: the roll cannot begin with it. `warns`: it can, and the operator should know. */
  readonly severity: 'refuses' | 'warns';
  /** The name of a group, or `alarm NAME`. */
  readonly subject: string;
  readonly message: string;
  /** The command that changes it. */
  readonly command?: string;
}

/** What is known of a group before a roll. */
export interface GroupFacts {
  readonly group: AutoScalingGroup;
  /** Why the cluster does not manage it; undefined if it does. */
  readonly whyUnmanaged?: string | undefined;
  /** What is wrong with its hooks. */
  readonly hookProblems: readonly { readonly message: string; readonly command?: string | undefined }[];
  readonly target: TargetReading;
  /** The id of an instance refresh that has not ended. */
  readonly activeRefresh?: string | undefined;
  /** Of the last day. */
  readonly failedLaunches: FailedLaunches;
  /** The name of another roll that has not ended and has this group. */
  readonly otherRoll?: string | undefined;
}

/** The alarms that stop the roll, as they are now. */
export interface StopAlarms {
  readonly inAlarm: readonly string[];
  /** CloudWatch has no alarm with this name. */
  readonly unknown: readonly string[];
}

type Found = Omit<Finding, 'subject'>;

/** What is wrong with a group that a roll shall replace the nodes of. Pure. */
export function groupFindings(facts: GroupFacts, criterion: Criterion): readonly Finding[] {
  const { autoScalingGroupName: subject } = facts.group;
  return [...refusals(facts, criterion), ...warnings(facts, criterion)].map((found) => ({
    ...found,
    subject,
  }));
}

/** The alarms of `--stop-on`: a roll that waits for one that does not exist, or that one stops at once, does not begin. Pure. */
export const alarmFindings = ({ inAlarm, unknown }: StopAlarms): readonly Finding[] => [
  ...unknown.map((name) => ({
    severity: 'refuses' as const,
    subject: `alarm ${name}`,
    message: 'CloudWatch has no alarm with this name in this account and region',
  })),
  ...inAlarm.map((name) => ({
    severity: 'refuses' as const,
    subject: `alarm ${name}`,
    message: 'it is in alarm already, and would stop the roll at once',
  })),
];

function refusals(facts: GroupFacts, criterion: Criterion): readonly Found[] {
  const { group, whyUnmanaged, hookProblems, target, activeRefresh, otherRoll } = facts;
  const refused = (message: string, command?: string): readonly Found[] => [
    { severity: 'refuses', message, ...(command !== undefined && { command }) },
  ];
  // What follows depends on settings that EKS owns, so nothing else is said.
  if (eksNodegroupOf(group)) {
    return refused(
      'EKS manages its instances and replaces them by its own update, which knows none of the flags of a roll and cannot be aborted',
      `drover roll ${shellWord(group.autoScalingGroupName)}`,
    );
  }
  if (whyUnmanaged !== undefined) return refused(`Drover does not manage it: ${whyUnmanaged}`);
  const name = shellWord(group.autoScalingGroupName);
  return [
    ...(group.isBeingDeleted ? refused('Auto Scaling deletes it') : []),
    ...hookProblems.flatMap(({ message, command }) => refused(message, command)),
    ...suspended(group, ['Launch']).flatMap((process) =>
      refused(`its process ${process} is suspended: no replacement would come`, resume(group, process)),
    ),
    ...suspended(group, ['Terminate']).flatMap((process) =>
      refused(`its process ${process} is suspended: no old instance would go`, resume(group, process)),
    ),
    ...(activeRefresh === undefined
      ? []
      : refused(
          `instance refresh ${activeRefresh} replaces its instances already: wait for its end, or cancel it`,
          `aws autoscaling cancel-instance-refresh --auto-scaling-group-name ${name}`,
        )),
    ...('unknown' in target && criterion.kind === 'changed'
      ? refused(`what it would launch is unknown, so nothing shows which nodes are old: ${target.unknown}`)
      : []),
    ...(otherRoll === undefined
      ? []
      : refused(
          `roll ${otherRoll} replaces its nodes already: wait for its end, or abort it`,
          `drover roll abort ${shellWord(otherRoll)}`,
        )),
  ];
}

function warnings(facts: GroupFacts, criterion: Criterion): readonly Found[] {
  const { group, target, failedLaunches } = facts;
  if (eksNodegroupOf(group) || facts.whyUnmanaged !== undefined) return [];
  const warned = (message: string, command?: string): readonly Found[] => [
    { severity: 'warns', message, ...(command !== undefined && { command }) },
  ];
  const pause = pauseOf(group.tags);
  const { count, newest } = failedLaunches;
  return [
    ...(count === 0
      ? []
      : warned(
          `${count === 1 ? 'a launch' : `${count} launches`} of the last day failed${newest === undefined ? '' : `, the newest with: ${newest}`}; the roll stops after three that fail`,
        )),
    ...('unknown' in target && criterion.kind !== 'changed'
      ? warned(`what it would launch is unknown: ${target.unknown}`)
      : []),
    ...(pause === undefined
      ? []
      : warned(
          `it is ${describePause(pause)}: the roll waits until it is resumed`,
          `drover resume ${shellWord(group.autoScalingGroupName)}`,
        )),
    ...(group.targetGroupArns.length === 0
      ? []
      : [
          ...(group.launchesBeforeTerminating
            ? []
            : warned(
                'Auto Scaling takes a node that goes out of its target groups before its pods leave it: connections that enter through the node end then',
              )),
          ...suspended(group, ['AddToLoadBalancer']).flatMap((process) =>
            warned(
              `its process ${process} is suspended: new nodes get no connections of its target groups`,
              resume(group, process),
            ),
          ),
        ]),
    ...(group.hasWarmPool
      ? warned(
          'replacements come from its warm pool. Old instances there are left out, and one that comes into service is replaced in its turn: terminate them before the roll',
        )
      : []),
  ];
}

const suspended = (
  { suspendedProcesses = [] }: Pick<AutoScalingGroup, 'suspendedProcesses'>,
  processes: readonly string[],
): readonly string[] => suspendedProcesses.filter((process) => processes.includes(process));

const resume = ({ autoScalingGroupName }: AutoScalingGroup, process: string): string =>
  `aws autoscaling resume-processes --auto-scaling-group-name ${shellWord(autoScalingGroupName)} --scaling-processes ${process}`;

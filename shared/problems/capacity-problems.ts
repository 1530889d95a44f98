import { shellWord } from '../base/shell-words.ts';
import { decideFloor, decideGone } from '../capacity/holds/decide-floor.ts';
import type { GroupHolds } from '../capacity/holds/floor-record.ts';
import { activePodHolds, podsIn } from '../capacity/holds/pod-floor.ts';
import { podProblems } from '../capacity/holds/pod-problems.ts';
import { unmetOf, unmetReason } from '../capacity/holds/unmet.ts';
import { planSchedules } from '../capacity/schedules/plan.ts';
import type { ScheduleReading } from '../capacity/schedules/schedule.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import type { FoundProblem } from './problem.ts';

/** The holds, the records of floors, and the schedules of a cluster. */
export interface HeldCapacity {
  /** By the name of the group. */
  readonly holds: ReadonlyMap<string, GroupHolds>;
  readonly schedules: readonly ScheduleReading[];
  /** The highest MaxSize that Drover sets for a hold. */
  readonly maxSizeLimit: number;
}

interface Looked {
  readonly managed: readonly AutoScalingGroup[];
  /** The groups that have lost their tags. */
  readonly others: readonly AutoScalingGroup[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Holds that do not get their nodes, records of floors that are lost, and schedules that make no holds: what prewarm counts too. Pure. */
export const capacityProblems = (held: HeldCapacity, looked: Looked): readonly FoundProblem[] => [
  ...[...held.holds].flatMap(([name, known]) => holdProblems(name, { known, held, ...looked })),
  ...scheduleProblems(held.schedules, looked),
];

function holdProblems(
  subject: string,
  {
    known,
    held: { maxSizeLimit },
    managed,
    others,
    at,
  }: Looked & { readonly known: GroupHolds; readonly held: HeldCapacity },
): readonly FoundProblem[] {
  const ofName = ({ autoScalingGroupName }: AutoScalingGroup) => autoScalingGroupName === subject;
  const group = managed.find(ofName);
  const { problems } = group
    ? decideFloor({ group, ...known, maxSizeLimit, now: at })
    : decideGone({ ...known, now: at, untagged: others.find(ofName) });
  const unmet = group && unmetOf(group, known, at);
  const command = `drover hold list ${shellWord(subject)}`;
  return [
    ...[
      ...problems,
      ...(group ? podProblems(activePodHolds(known.holds, at), podsIn(known.record)) : []),
    ].map((message) => ({ kind: 'capacity', subject, message, command }) as const),
    ...(unmet
      ? [
          {
            kind: 'capacity',
            subject,
            message: unmetReason(unmet, []),
            since: new Date(unmet.since).toISOString(),
            command,
          } as const,
        ]
      : []),
  ];
}

/** What keeps schedules from making holds in these groups. Pure. */
function scheduleProblems(
  readings: readonly ScheduleReading[],
  {
    managed,
    at,
  }: Pick<Looked, 'at'> & { readonly managed: readonly Pick<AutoScalingGroup, 'autoScalingGroupName'>[] },
): readonly FoundProblem[] {
  const names = new Set(managed.map(({ autoScalingGroupName }) => autoScalingGroupName));
  return readings.flatMap((reading) => {
    const subject = reading.kind === 'schedule' ? reading.schedule.name : reading.name;
    const { problems } = planSchedules([reading], { now: at, measured: () => 0 });
    const group = reading.kind === 'schedule' ? reading.schedule.autoScalingGroupName : undefined;
    return [
      ...problems.map((message) => ({
        kind: 'schedule' as const,
        subject,
        message,
        command: `drover schedule preview ${shellWord(subject)}`,
      })),
      ...(group === undefined || names.has(group)
        ? []
        : [
            {
              kind: 'schedule' as const,
              subject,
              message: `schedule ${subject}: there is no managed group ${group}`,
              command: `drover schedule delete ${shellWord(subject)}`,
            },
          ]),
    ];
  });
}

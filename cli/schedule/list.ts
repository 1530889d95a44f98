import { durationText } from '../../shared/base/duration.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import type { ListingFlags } from '../listing/flags.ts';
import { printListing } from '../listing/print.ts';
import { oneLine } from '../plain-text.ts';
import { named, type TableView } from '../table/column.ts';
import { timeText } from '../table/relative-time.ts';
import { tableText } from '../table/table.ts';
import { scheduleJson } from './preview.ts';
import { type ListedSchedule, schedulesOf } from './schedules.ts';

export type ListFlags = AccessFlags & ListingFlags;

/** Lists the schedules of the cluster, with the next time of each. */
export async function listSchedules(flags: ListFlags, context: CliContext): Promise<void> {
  const listed = (await (await schedulesOf(flags, context)).list()).toSorted((one, other) =>
    nameOf(one).localeCompare(nameOf(other)),
  );
  const now = context.clock.now();
  const listing = {
    data: listed.map(toJson),
    names: listed.map(nameOf),
    text: (view: TableView) => listText(listed, now, view),
  };
  await printListing(listing, flags, context);
}

const nameOf = (listed: ListedSchedule): string =>
  listed.kind === 'unreadable' ? listed.name : listed.schedule.name;

function toJson(listed: ListedSchedule): object {
  if (listed.kind === 'unreadable') return { name: listed.name, problem: listed.why };
  const { schedule, next, problem } = listed;
  return {
    ...scheduleJson(schedule),
    next: next === undefined ? null : isoSeconds(next),
    ...(problem !== undefined && { problem }),
  };
}

const head = [
  named('NAME'),
  named('GROUP', { leftOut: 1 }),
  'NODES',
  { head: 'FOR', leftOut: 3 },
  named('WHEN'),
  { head: 'TIME ZONE', leftOut: 2 },
  { head: 'LEAD', leftOut: 4 },
  'NEXT',
];

function listText(listed: readonly ListedSchedule[], now: number, view: TableView): string {
  if (listed.length === 0) return 'no schedules\n';
  const problems = listed.flatMap((one) =>
    one.kind === 'unreadable'
      ? [`${oneLine(`${one.name} makes no holds: ${one.why}`)}\n`]
      : one.problem === undefined
        ? []
        : [`${oneLine(`${one.schedule.name}: ${one.problem}`)}\n`],
  );
  const rows = listed.flatMap((one) =>
    one.kind === 'unreadable' ? [] : [columnsOf(one, (time) => timeText(time, now, view))],
  );
  return `${tableText(head, rows, view)}${problems.length > 0 ? '\n' : ''}${problems.join('')}`;
}

function columnsOf(
  { schedule, next }: Extract<ListedSchedule, { kind: 'schedule' }>,
  when: (time: number) => string,
): readonly string[] {
  const { name, autoScalingGroupName, nodes, pods, durationSeconds, expression, timeZone, lead, paused } =
    schedule;
  return [
    name,
    autoScalingGroupName,
    pods === undefined ? String(nodes) : counted(pods.total, 'pod'),
    durationText(durationSeconds),
    expression,
    timeZone,
    lead === 'measured' ? lead : durationText(lead),
    paused ? 'paused' : next === undefined ? 'never' : when(next),
  ];
}

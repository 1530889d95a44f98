import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { durationText } from '../durations.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { tableText } from '../table.ts';
import { type ListedSchedule, schedulesOf } from './schedules.ts';
import { scheduleJson } from './text.ts';

export interface ListFlags extends AccessFlags {
  readonly json?: true;
}

/** Lists the schedules of the cluster, with the next time of each. */
export async function listSchedules(flags: ListFlags, context: CliContext): Promise<void> {
  const listed = (await (await schedulesOf(flags, context)).list()).toSorted((one, other) =>
    nameOf(one).localeCompare(nameOf(other)),
  );
  context.stdout.write(flags.json ? jsonText(listed.map(toJson)) : listText(listed));
}

const nameOf = (listed: ListedSchedule): string =>
  listed.kind === 'unreadable' ? listed.name : listed.schedule.name;

function toJson(listed: ListedSchedule): object {
  if (listed.kind === 'unreadable') return { name: listed.name, problem: listed.why };
  const { schedule, next } = listed;
  return { ...scheduleJson(schedule), next: next === undefined ? null : isoSeconds(next) };
}

function listText(listed: readonly ListedSchedule[]): string {
  const head = ['NAME', 'GROUP', 'NODES', 'FOR', 'WHEN', 'TIME ZONE', 'LEAD', 'NEXT'];
  const problems = listed.flatMap((one) =>
    one.kind === 'unreadable' ? [`${oneLine(`${one.name} makes no holds: ${one.why}`)}\n`] : [],
  );
  const rows = listed.flatMap((one) => (one.kind === 'unreadable' ? [] : [columnsOf(one)]));
  return `${tableText(head, rows)}${problems.length > 0 ? '\n' : ''}${problems.join('')}`;
}

function columnsOf({ schedule, next }: Extract<ListedSchedule, { kind: 'schedule' }>): readonly string[] {
  const { name, autoScalingGroupName, nodes, durationSeconds, expression, timeZone, lead, paused } = schedule;
  return [
    name,
    autoScalingGroupName,
    String(nodes),
    durationText(durationSeconds),
    expression,
    timeZone,
    lead === 'measured' ? lead : durationText(lead),
    paused ? 'paused' : next === undefined ? 'never' : isoSeconds(next),
  ];
}

import { readSchedules } from '../../shared/aws/schedules.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { nextReadyAt } from '../../shared/capacity/schedules/preview.ts';
import { readSchedule, type ScheduleReading } from '../../shared/capacity/schedules/schedule.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { CliContext } from '../context.ts';
import { durationText } from '../durations.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { tableText } from '../table.ts';
import { scheduleAccess } from './access.ts';
import { scheduleJson } from './text.ts';

export interface ListFlags extends AutoScalingFlags {
  readonly json?: true;
}

/** Lists the schedules of the cluster, with the next time of each. */
export async function listSchedules(flags: ListFlags, context: CliContext): Promise<void> {
  const { clock, stdout } = context;
  const records = await readSchedules({ ...scheduleAccess(flags, context), clock });
  const readings = records.map(readSchedule);
  const now = clock.now();
  stdout.write(flags.json ? jsonText(readings.map((each) => toJson(each, now))) : listText(readings, now));
}

function toJson(reading: ScheduleReading, now: number): object {
  if (reading.kind === 'unreadable') return { name: reading.name, problem: reading.why };
  const next = nextReadyAt(reading.schedule, now);
  return { ...scheduleJson(reading.schedule), next: next === undefined ? null : isoSeconds(next) };
}

function listText(readings: readonly ScheduleReading[], now: number): string {
  const head = ['NAME', 'GROUP', 'NODES', 'FOR', 'WHEN', 'TIME ZONE', 'LEAD', 'NEXT'];
  const problems = readings.flatMap((reading) =>
    reading.kind === 'unreadable' ? [`${oneLine(`${reading.name} makes no holds: ${reading.why}`)}\n`] : [],
  );
  const rows = readings.flatMap((reading) =>
    reading.kind === 'unreadable' ? [] : [columnsOf(reading, nextReadyAt(reading.schedule, now))],
  );
  return `${tableText(head, rows)}${problems.length > 0 ? '\n' : ''}${problems.join('')}`;
}

function columnsOf(
  { schedule }: Extract<ScheduleReading, { kind: 'schedule' }>,
  next: number | undefined,
): readonly string[] {
  const { name, autoScalingGroupName, nodes, durationSeconds, expression, timing, lead, paused } = schedule;
  return [
    name,
    autoScalingGroupName,
    String(nodes),
    durationText(durationSeconds),
    expression,
    timing.timeZone,
    lead === 'measured' ? lead : durationText(lead),
    paused ? 'paused' : next === undefined ? 'never' : isoSeconds(next),
  ];
}

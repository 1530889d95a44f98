import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { PreviewedOccurrence } from '../../shared/capacity/schedules/preview.ts';
import { counted } from '../counted.ts';
import { durationText } from '../durations.ts';
import { oneLine } from '../plain-text.ts';
import { type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import type { SchedulePreview, ShownSchedule } from './schedules.ts';

/** A line about the schedule, and one for each occurrence. */
export function previewText(
  { schedule, leadSeconds, occurrences }: SchedulePreview,
  view: TableView,
): string {
  const { name, nodes, autoScalingGroupName, durationSeconds, expression, timeZone, paused } = schedule;
  const line = [
    `${name}: ${counted(nodes, 'node')} or more in ${autoScalingGroupName} for ${durationText(durationSeconds)}, ${expression} in ${timeZone}`,
    ...(paused ? ['paused'] : []),
    `holds are made ${leadWords(schedule, leadSeconds)} ahead`,
  ].join('; ');
  return `${oneLine(line)}\n\n${tableText(head, occurrences.map(rowOf), view)}`;
}

const head = [
  'LOCAL TIME',
  { head: 'HOLD MADE', leftOut: 1 },
  'NODES READY',
  { head: 'HOLD ENDS', leftOut: 2 },
];

const leadWords = ({ lead }: ShownSchedule, leadSeconds: number): string =>
  `${durationText(leadSeconds)}${lead === 'measured' ? ' (measured)' : ''}`;

function rowOf(occurrence: PreviewedOccurrence): readonly string[] {
  switch (occurrence.kind) {
    case 'hold': {
      const { localTime, madeAt, readyAt, until } = occurrence;
      return [localTime, ...[madeAt, readyAt, until].map(isoSeconds)];
    }
    case 'exception':
      return [occurrence.localTime, 'never: an exception', '-', '-'];
    case 'left-out':
      return [occurrence.localTime, 'never: clocks skip this time', '-', '-'];
  }
}

/** The same for programs. */
export const previewJson = ({ schedule, leadSeconds, occurrences }: SchedulePreview): object => ({
  ...scheduleJson(schedule),
  leadSeconds,
  occurrences: occurrences.map((occurrence) =>
    occurrence.kind === 'hold'
      ? {
          ...occurrence,
          madeAt: isoSeconds(occurrence.madeAt),
          readyAt: isoSeconds(occurrence.readyAt),
          until: isoSeconds(occurrence.until),
        }
      : occurrence,
  ),
});

/** Field by field, so that their order does not depend on where the schedule was read. */
export const scheduleJson = (schedule: ShownSchedule): object => ({
  name: schedule.name,
  autoScalingGroupName: schedule.autoScalingGroupName,
  nodes: schedule.nodes,
  expression: schedule.expression,
  timeZone: schedule.timeZone,
  durationSeconds: schedule.durationSeconds,
  lead: schedule.lead,
  exceptions: schedule.exceptions,
  raiseMaxSize: schedule.raiseMaxSize,
  paused: schedule.paused,
  by: schedule.by,
});

import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { PreviewedOccurrence } from '../../shared/capacity/schedules/preview.ts';
import type { Schedule } from '../../shared/capacity/schedules/schedule.ts';
import { durationText } from '../durations.ts';
import { oneLine } from '../plain-text.ts';
import { tableText } from '../table.ts';

/** A schedule with what comes of it next. */
export interface SchedulePreview {
  readonly schedule: Schedule;
  readonly leadSeconds: number;
  readonly occurrences: readonly PreviewedOccurrence[];
}

/** A line about the schedule, and one for each occurrence. */
export function previewText({ schedule, leadSeconds, occurrences }: SchedulePreview): string {
  const { name, nodes, autoScalingGroupName, durationSeconds, expression, timing, paused } = schedule;
  const line = [
    `${name}: ${nodes} nodes or more in ${autoScalingGroupName} for ${durationText(durationSeconds)}, ${expression} in ${timing.timeZone}`,
    ...(paused ? ['paused'] : []),
    `holds are made ${leadWords(schedule, leadSeconds)} ahead`,
  ].join('; ');
  const head = ['LOCAL TIME', 'HOLD MADE', 'NODES READY', 'HOLD ENDS'];
  return `${oneLine(line)}\n\n${tableText(head, occurrences.map(rowOf))}`;
}

const leadWords = ({ lead }: Schedule, leadSeconds: number): string =>
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

export function scheduleJson({ timing, ...schedule }: Schedule): object {
  return { ...schedule, timeZone: timing.timeZone };
}

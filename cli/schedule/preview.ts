import { durationText } from '../../shared/base/duration.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { podRequestJson } from '../../shared/capacity/pod-holds/pod-request.ts';
import { requestText } from '../../shared/capacity/pod-holds/request-text.ts';
import type { PreviewedOccurrence } from '../../shared/capacity/schedules/preview.ts';
import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { type TableView, viewOf } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import { type SchedulePreview, type ShownSchedule, schedulesOf } from './schedules.ts';

export interface PreviewFlags extends AccessFlags {
  readonly count: number;
  readonly json?: true;
}

/** Prints the next occurrences of a schedule and their holds. */
export async function previewSchedule(name: string, flags: PreviewFlags, context: CliContext): Promise<void> {
  const preview = await (await schedulesOf(flags, context)).preview(name, flags.count);
  context.stdout.write(
    flags.json ? jsonText(previewJson(preview)) : previewText(preview, viewOf(context.stdout)),
  );
}

/** One line about the schedule, and a table with a row for each occurrence. */
export function previewText(
  { schedule, leadSeconds, occurrences, problem }: SchedulePreview,
  view: TableView,
): string {
  const { name, nodes, pods, autoScalingGroupName, durationSeconds, expression, timeZone, paused } = schedule;
  const line = [
    `${name}: ${pods ? requestText(pods) : `${counted(nodes, 'node')} or more`} in ${autoScalingGroupName} for ${durationText(durationSeconds)}, ${expression} in ${timeZone}`,
    ...(paused ? ['paused'] : []),
    `holds are created ${leadText(schedule, leadSeconds)} ahead`,
  ].join('; ');
  const warning = problem === undefined ? '' : `\n${oneLine(problem)}\n`;
  return `${oneLine(line)}\n\n${tableText(head, occurrences.map(rowOf), view)}${warning}`;
}

const head = [
  'LOCAL TIME',
  { head: 'HOLD MADE', leftOut: 1 },
  'NODES READY',
  { head: 'HOLD ENDS', leftOut: 2 },
];

const leadText = ({ lead }: ShownSchedule, leadSeconds: number): string =>
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

/** The preview as JSON. */
export const previewJson = ({ schedule, leadSeconds, occurrences, problem }: SchedulePreview): object => ({
  ...scheduleJson(schedule),
  leadSeconds,
  ...(problem !== undefined && { problem }),
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

/** Field by field, so that their order is the same for both ways of access. */
export const scheduleJson = (schedule: ShownSchedule): object => ({
  name: schedule.name,
  autoScalingGroupName: schedule.autoScalingGroupName,
  nodes: schedule.nodes,
  ...(schedule.pods && { pods: podRequestJson(schedule.pods) }),
  expression: schedule.expression,
  timeZone: schedule.timeZone,
  durationSeconds: schedule.durationSeconds,
  lead: schedule.lead,
  exceptions: schedule.exceptions,
  raiseMaxSize: schedule.raiseMaxSize,
  paused: schedule.paused,
  by: schedule.by,
  ...(schedule.set !== undefined && { set: schedule.set }),
});

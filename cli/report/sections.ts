import { durationText } from '../../shared/base/duration.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { ReportSection, ReportTable } from '../../ui/state/report.ts';
import { counted } from '../counted.ts';
import type { HoldResult, ReportedHold } from './fold/holds.ts';
import type { Waits } from './fold/waits.ts';
import type { Percentiles } from './percentiles.ts';
import type { Drains, Holds, Joins, Launches, Part, Report } from './report-of.ts';

/** The parts of the report as tables and sentences, for the terminal and the page. A part that is not known says why. Pure. */
export const sectionsOf = (report: Report): readonly ReportSection[] => [
  section('Drains', report.drains, drainsTables),
  section('Budgets that held nodes', report.budgets, (budgets) => [
    table(
      ['PodDisruptionBudget', 'Held nodes for', 'Nodes'],
      budgets.map(({ budget, seconds, nodes }) => [budget, durationText(seconds), `${nodes}`]),
    ),
  ]),
  section('Joins', report.joins, joinsTables),
  section('Launches that failed', report.launches, launchesTables),
  section('Holds', report.holds, (holds) => holdsTables(holds, report.until)),
  section('Calls that AWS refused for their rate', report.refusals, (refusals) => [
    table(
      ['Service', 'Operation', 'Attempts'],
      refusals.map(({ service, operation, count }) => [service, operation, `${count}`]),
    ),
  ]),
];

/** What was read, in sentences. Pure. */
export function coversOf({ covers: { logs, activities } }: Report): readonly string[] {
  const count = `${logs.lines.toLocaleString('en')} lines`;
  return [
    logs.from === null
      ? `logs: ${count}, up to ${logs.to}`
      : `logs from ${logs.from} to ${logs.to}: ${count}`,
    activities === null
      ? 'no activities of Auto Scaling'
      : `activities of Auto Scaling from ${activities.from}: ${activities.count}`,
  ];
}

const section = <Value>(
  title: string,
  known: Part<Value>,
  tables: (value: Value) => readonly ReportTable[],
): ReportSection =>
  known.kind === 'known'
    ? { title, tables: tables(known.value) }
    : { title, unknown: known.reason, tables: [] };

const table = (
  head: ReportTable['head'],
  rows: ReportTable['rows'],
  ...said: readonly (string | undefined)[]
): ReportTable => ({ head, rows, sentences: said.filter((one) => one !== undefined) });

/** A sentence about a number that is not zero. */
const about = (count: number, text: string): string | undefined => (count > 0 ? text : undefined);

const percentiles = (of: Percentiles | null): readonly string[] =>
  of === null ? ['-', '-', '-', '0'] : [...[of.p50, of.p95, of.max].map(durationText), `${of.n}`];

function drainsTables(drains: Drains): readonly ReportTable[] {
  const rows = drains.groups.map(({ group, ended, drained, failed, podsForced, seconds }) => [
    group ?? '(not known)',
    `${ended}`,
    `${drained}`,
    `${failed}`,
    `${podsForced}`,
    ...percentiles(seconds),
  ]);
  const { stillLeaving, lost, beganBefore } = drains;
  const terminated = drains.terminatedWithoutLeave ?? 0;
  const gone = drains.groups.reduce((sum, group) => sum + group.gone, 0);
  return [
    table(
      ['Group', 'Left', 'Drained', 'Failed', 'Pods forced', 'P50', 'P95', 'Max', 'N'],
      rows,
      waitsText(drains.waits),
      about(
        gone,
        `${counted(gone, 'instance was', 'instances were')} gone before the end of the leave was logged`,
      ),
      about(stillLeaving, `${counted(stillLeaving, 'node is', 'nodes are')} still leaving`),
      about(lost, `${counted(lost, 'leave has', 'leaves have')} no end in the logs`),
      about(
        beganBefore,
        `${counted(beganBefore, 'leave', 'leaves')} began earlier: what they waited for before is not counted`,
      ),
      about(
        terminated,
        `${counted(terminated, 'instance was', 'instances were')} terminated without a leave in the logs`,
      ),
    ),
  ];
}

function joinsTables(joins: Joins): readonly ReportTable[] {
  const rows = joins.groups.map(({ group, joined, abandoned, over, seconds }) => [
    group ?? '(not known)',
    `${joined}`,
    `${abandoned}`,
    `${over}`,
    ...percentiles(seconds),
  ]);
  const { stillJoining, lost } = joins;
  return [
    table(
      ['Group', 'Joined', 'Abandoned', 'Ended otherwise', 'P50', 'P95', 'Max', 'N'],
      rows,
      waitsText(joins.waits),
      about(stillJoining, `${counted(stillJoining, 'node is', 'nodes are')} still joining`),
      about(lost, `${counted(lost, 'join has', 'joins have')} no end in the logs`),
    ),
  ];
}

/** The longest first. Passes of less than a second are left out. */
function waitsText(waits: Waits): string | undefined {
  const long = Object.entries(waits).filter(([, seconds]) => seconds >= 1);
  if (long.length === 0) return undefined;
  return `waited for: ${long.map(([cause, seconds]) => `${cause} ${durationText(seconds)}`).join(', ')}`;
}

const launchesTables = ({ launched, terminated, failed }: Launches): readonly ReportTable[] => [
  table(
    ['Group', 'Failed', 'Last', 'Reason'],
    failed.map(({ group, count, last, reason }) => [group, `${count}`, minuteText(last), reason]),
    `${counted(launched, 'launch', 'launches')} succeeded, ${counted(terminated, 'instance was', 'instances were')} terminated`,
  ),
];

/** Tables have many times: to the minute, in UTC. */
const minuteText = (time: number): string => `${new Date(time).toISOString().slice(0, 16)}Z`;

const resultTexts: Readonly<Record<HoldResult, string>> = {
  kept: 'kept',
  late: 'late for its schedule',
  short: 'nodes were missing',
  never: 'never had its nodes',
  waiting: 'waits for its nodes',
};

/** In tables, the worst come first. */
const rankOf = (result: HoldResult): number => (result === 'kept' ? 2 : result === 'waiting' ? 1 : 0);

function holdsTables(
  { holds, hours, inUnits, unseenSeconds }: Holds,
  until: Report['until'],
): readonly ReportTable[] {
  const worst = holds.toSorted((one, other) => rankOf(one.result) - rankOf(other.result));
  const kept = holds.filter(({ result }) => result === 'kept').length;
  const waiting = holds.filter(({ result }) => result === 'waiting').length;
  const judged = holds.length - waiting;
  const said = [
    inUnits.length > 0
      ? `node-hours of ${inUnits.join(', ')} are not known: their sizes are units of weight`
      : undefined,
    about(
      unseenSeconds,
      `while holds existed, what their groups had is not in the logs for ${durationText(unseenSeconds)}`,
    ),
  ];
  const hasHours = hours.length > 0;
  return [
    table(
      ['Hold', 'Group', 'Nodes', 'From', 'To', 'Result', 'Short for'],
      worst.map((hold) => holdRow(hold, until)),
      about(judged, `${kept} of ${counted(judged, 'hold was', 'holds were')} kept`),
      about(waiting, `${counted(waiting, 'hold waits', 'holds wait')} for nodes that launch`),
      ...(hasHours ? [] : said),
    ),
    ...(hasHours
      ? [
          table(
            ['Group', 'Node-hours of holds', 'Dollars'],
            hours.map(({ group, nodeHours, dollars }) => [
              group,
              nodeHours.toFixed(1),
              dollars === null ? '-' : dollars.toFixed(2),
            ]),
            ...said,
          ),
        ]
      : []),
  ];
}

/** `until`: the end of the report, and so of what is known about a hold that goes on. */
const holdRow = (
  { name, group, nodes, from, to, result, shortSeconds }: ReportedHold,
  until: Report['until'],
): readonly string[] => [
  name,
  group,
  `${nodes}`,
  minuteText(from),
  isoSeconds(to) === until ? 'goes on' : minuteText(to),
  resultTexts[result],
  shortSeconds > 0 ? durationText(shortSeconds) : '-',
];

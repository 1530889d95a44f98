import { durationText } from '../../shared/base/duration.ts';
import { counted } from '../counted.ts';
import { painted, type Text } from '../output.ts';
import { named, sentence, type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import type { HoldResult, ReportedHold } from './fold/holds.ts';
import type { Waits } from './fold/waits.ts';
import type { Percentiles } from './percentiles.ts';
import type { Drains, Holds, Joins, Launches, Part, Report } from './report-of.ts';

/** The report for people. A part that is not known says why; it never looks like a part without events. */
export function reportText(report: Report, view: TableView): Text {
  const of = report.group === null ? 'all groups' : `group ${report.group}`;
  return [
    `cluster ${report.cluster}, ${of}, from ${report.since} to ${report.until} (UTC)\n`,
    part('Drains', report.drains, (drains) => drainsText(drains, view)),
    part('Budgets that held nodes', report.budgets, (budgets) =>
      listed(
        ['PODDISRUPTIONBUDGET', 'HELD NODES FOR', 'NODES'],
        budgets.map(({ budget, seconds, nodes }) => [budget, durationText(seconds), `${nodes}`]),
        view,
      ),
    ),
    part('Joins', report.joins, (joins) => joinsText(joins, view)),
    part('Launches that failed', report.launches, (launches) => launchesText(launches, view)),
    part('Holds', report.holds, (holds) => holdsText(holds, view)),
    part('Calls that AWS refused for their rate', report.refusals, (refusals) =>
      listed(
        ['SERVICE', 'OPERATION', 'ATTEMPTS'],
        refusals.map(({ service, operation, count }) => [service, operation, `${count}`]),
        view,
      ),
    ),
    coversText(report),
  ];
}

function part<Value>(title: string, known: Part<Value>, text: (value: Value) => Text): Text {
  const body = known.kind === 'known' ? text(known.value) : painted('yellow', `not known: ${known.reason}\n`);
  return ['\n', painted('bold', title), '\n', body];
}

/** More rows are for programs: `--json` has them. */
const mostRows = 15;

function listed(
  head: readonly [string, ...string[]],
  rows: readonly (readonly string[])[],
  view: TableView,
): Text {
  if (rows.length === 0) return 'none\n';
  const [first, ...others] = head;
  const last = others.pop();
  const columns = [named(first), ...others, ...(last === 'REASON' ? [sentence(last)] : last ? [last] : [])];
  const more = rows.length - mostRows;
  return [
    tableText(columns, rows.slice(0, mostRows), view),
    more > 0 ? `and ${more} more: --json has all\n` : '',
  ];
}

const percentiles = (of: Percentiles | null): readonly string[] =>
  of === null ? ['-', '-', '-', '0'] : [...[of.p50, of.p95, of.max].map(durationText), `${of.n}`];

function drainsText(drains: Drains, view: TableView): Text {
  const rows = drains.groups.map(({ group, ended, drained, failed, podsForced, seconds }) => [
    group ?? '(not known)',
    `${ended}`,
    `${drained}`,
    `${failed}`,
    `${podsForced}`,
    ...percentiles(seconds),
  ]);
  const { stillLeaving, lost, beganBefore, terminatedWithoutLeave } = drains;
  const gone = drains.groups.reduce((sum, group) => sum + group.gone, 0);
  return [
    listed(['GROUP', 'LEFT', 'DRAINED', 'FAILED', 'PODS FORCED', 'P50', 'P95', 'MAX', 'N'], rows, view),
    waitsText(drains.waits),
    ...sentences([
      [
        gone,
        `${counted(gone, 'instance was', 'instances were')} gone before the end of the leave was logged`,
      ],
      [stillLeaving, `${counted(stillLeaving, 'node is', 'nodes are')} still leaving`],
      [lost, `${counted(lost, 'leave has', 'leaves have')} no end in the logs`],
      [
        beganBefore,
        `${counted(beganBefore, 'leave', 'leaves')} began earlier: what they waited for before is not counted`,
      ],
      [
        terminatedWithoutLeave ?? 0,
        `${counted(terminatedWithoutLeave ?? 0, 'instance was', 'instances were')} terminated without a leave in the logs`,
      ],
    ]),
  ];
}

function joinsText(joins: Joins, view: TableView): Text {
  const rows = joins.groups.map(({ group, joined, abandoned, over, seconds }) => [
    group ?? '(not known)',
    `${joined}`,
    `${abandoned}`,
    `${over}`,
    ...percentiles(seconds),
  ]);
  const { stillJoining, lost } = joins;
  return [
    listed(['GROUP', 'JOINED', 'ABANDONED', 'ENDED OTHERWISE', 'P50', 'P95', 'MAX', 'N'], rows, view),
    waitsText(joins.waits),
    ...sentences([
      [stillJoining, `${counted(stillJoining, 'node is', 'nodes are')} still joining`],
      [lost, `${counted(lost, 'join has', 'joins have')} no end in the logs`],
    ]),
  ];
}

const sentences = (all: readonly (readonly [number, string])[]): readonly string[] =>
  all.filter(([count]) => count > 0).map(([, text]) => `${text}\n`);

/** The longest first. Passes of less than a second are left out. */
function waitsText(waits: Waits): string {
  const long = Object.entries(waits).filter(([, seconds]) => seconds >= 1);
  if (long.length === 0) return '';
  return `waited for: ${long.map(([cause, seconds]) => `${cause} ${durationText(seconds)}`).join(', ')}\n`;
}

function launchesText({ launched, terminated, failed }: Launches, view: TableView): Text {
  return [
    listed(
      ['GROUP', 'FAILED', 'LAST', 'REASON'],
      failed.map(({ group, count, last, reason }) => [group, `${count}`, minuteText(last), reason]),
      view,
    ),
    `${counted(launched, 'launch', 'launches')} succeeded, ${counted(terminated, 'instance was', 'instances were')} terminated\n`,
  ];
}

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

function holdsText({ holds, hours, inUnits, unseenSeconds }: Holds, view: TableView): Text {
  const worst = holds.toSorted((one, other) => rankOf(one.result) - rankOf(other.result));
  const kept = holds.filter(({ result }) => result === 'kept').length;
  const waiting = holds.filter(({ result }) => result === 'waiting').length;
  const judged = holds.length - waiting;
  return [
    listed(
      ['HOLD', 'GROUP', 'NODES', 'FROM', 'TO', 'RESULT', 'SHORT FOR'],
      worst.map((hold) => holdRow(hold)),
      view,
    ),
    ...sentences([
      [judged, `${kept} of ${counted(judged, 'hold was', 'holds were')} kept`],
      [waiting, `${counted(waiting, 'hold waits', 'holds wait')} for nodes that launch`],
    ]),
    hours.length > 0
      ? tableText(
          [named('GROUP'), 'NODE-HOURS OF HOLDS', 'DOLLARS'],
          hours.map(({ group, nodeHours, dollars }) => [
            group,
            nodeHours.toFixed(1),
            dollars === null ? '-' : dollars.toFixed(2),
          ]),
          view,
        )
      : '',
    inUnits.length > 0
      ? `node-hours of ${inUnits.join(', ')} are not known: their sizes are units of weight\n`
      : '',
    unseenSeconds > 0
      ? `while holds existed, what their groups had is not in the logs for ${durationText(unseenSeconds)}\n`
      : '',
  ];
}

const holdRow = ({ name, group, nodes, from, to, result, shortSeconds }: ReportedHold): readonly string[] => [
  name,
  group,
  `${nodes}`,
  minuteText(from),
  minuteText(to),
  resultTexts[result],
  shortSeconds > 0 ? durationText(shortSeconds) : '-',
];

function coversText({ covers: { logs, activities, missing } }: Report): Text {
  const count = `${logs.lines.toLocaleString('en')} lines`;
  return [
    '\n',
    painted('bold', 'What this covers'),
    '\n',
    logs.from === null
      ? `logs: ${count}, up to ${logs.to}\n`
      : `logs from ${logs.from} to ${logs.to}: ${count}\n`,
    activities === null
      ? 'no activities of Auto Scaling\n'
      : `activities of Auto Scaling from ${activities.from}: ${activities.count}\n`,
    ...missing.map((one) => painted('yellow', `missing: ${one}\n`)),
  ];
}

import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { oneLine } from '../plain-text.ts';
import type { Waits } from './fold/waits.ts';
import type { Part, Report } from './report-of.ts';

const columns = [
  'kind',
  'group',
  'name',
  'node',
  'from',
  'to',
  'seconds',
  'result',
  'nodes',
  'pods_forced',
  'count',
  'waited_for',
  'reason',
] as const;
type Row = Partial<Record<(typeof columns)[number], string | number | null | undefined>>;

/**
 * The events of the report as CSV (RFC 4180), with a head: a line for each leave, join and hold, for each reason of failed launches, and for each
 * refused operation. Times are in UTC, a duration is in seconds.
 */
export const csvText = (report: Report): string =>
  [[...columns], ...rowsOf(report).map((row) => columns.map((column) => cell(row[column])))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');

/** A spreadsheet takes a cell that begins like this for a formula, also in quotes; names and AWS's words are not ours. */
const formula = /^\s*[=+\-@]/;

function cell(value: Row[keyof Row]): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return `${value}`;
  // First: what is left out, such as an escape, must not hide a formula behind it.
  const plain = oneLine(value);
  const text = formula.test(plain) ? `'${plain}` : plain;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const valuesOf = <Value>(part: Part<readonly Value[]>): readonly Value[] =>
  part.kind === 'known' ? part.value : [];

function rowsOf({ drains, budgets, joins, launches, holds, refusals }: Report): readonly Row[] {
  return [
    ...(drains.kind === 'known' ? drains.value.leaves : []).map(
      ({ instanceId, drainSeconds, release, podsForced, ...leave }): Row => ({
        kind: 'leave',
        ...timed(leave),
        name: instanceId,
        seconds: drainSeconds,
        pods_forced: podsForced,
        reason: release,
      }),
    ),
    ...valuesOf(budgets).map(
      ({ budget, seconds, nodes }): Row => ({ kind: 'budget', name: budget, seconds, nodes }),
    ),
    ...(joins.kind === 'known' ? joins.value.joins : []).map(
      ({ instanceId, joinSeconds, ...join }): Row => ({
        kind: 'join',
        ...timed(join),
        name: instanceId,
        seconds: joinSeconds,
      }),
    ),
    ...(launches.kind === 'known' ? launches.value.failed : []).map(
      ({ group, reason, count, last }): Row => ({
        kind: 'failed-launch',
        group,
        to: isoSeconds(last),
        count,
        reason,
      }),
    ),
    ...(holds.kind === 'known' ? holds.value.holds : []).map(
      ({ group, name, nodes, from, to, result, shortSeconds }): Row => ({
        kind: 'hold',
        group,
        name,
        nodes,
        from: isoSeconds(from),
        to: isoSeconds(to),
        result,
        seconds: Math.round(shortSeconds),
      }),
    ),
    ...valuesOf(refusals).map(
      ({ service, operation, count }): Row => ({ kind: 'refused', name: `${service} ${operation}`, count }),
    ),
  ];
}

interface Timed {
  readonly group: string | undefined;
  readonly node: string | undefined;
  readonly from: number;
  readonly end: number | undefined;
  readonly result: string;
  readonly waits: Waits;
}

const timed = ({ group, node, from, end, result, waits }: Timed): Row => ({
  group,
  node,
  from: isoSeconds(from),
  to: end === undefined ? undefined : isoSeconds(end),
  result,
  waited_for: Object.entries(waits)
    .filter(([, seconds]) => seconds >= 1)
    .map(([cause, seconds]) => `${cause} ${Math.round(seconds)}`)
    .join(' '),
});

import { documentedLimits } from '@drover/cloud-sandbox/aws';
import type { MeasuredOperation, Rate } from './rates.ts';

interface Bucket {
  readonly burst: number;
  readonly perSecond: number;
}

/** The bucket that the sandbox has for an operation if its limits are the documented ones. */
export function assumedFor(operation: MeasuredOperation): Bucket {
  const { autoScaling } = documentedLimits;
  if ('calls' in autoScaling) return autoScaling.calls;
  return operation.startsWith('Describe') ? autoScaling.reads : autoScaling.changes;
}

/** A measurement differs by some percent from one time to the next. */
const tolerance = 0.2;

const isNear = (measured: number, assumed: number): boolean =>
  Math.abs(measured - assumed) <= Math.max(1, tolerance * assumed);

const number = (value: number): string => String(Math.round(value * 10) / 10);

/** What was measured of one bucket. No refusal at all is not a bucket of that size. */
function wordsFor({ burst, perSecond, refused }: Rate): string {
  if (refused === 0) return `none refused of ${burst}`;
  return `${burst}, then ${perSecond === undefined ? 'unknown' : number(perSecond)}/s`;
}

const rowsOf = (rates: readonly Rate[]): readonly (readonly string[])[] => [
  ['operation', 'measured', 'the sandbox assumes', 'calls', 'refused', 'shares its bucket with'],
  ...rates.map((rate) => {
    const { burst, perSecond } = assumedFor(rate.operation);
    return [
      rate.operation,
      wordsFor(rate),
      `${burst}, then ${perSecond}/s`,
      String(rate.calls),
      String(rate.refused),
      rate.sharedWith.join(', ') || '-',
    ];
  }),
];

/** The buckets for a terminal, and what to change in the sandbox. */
export function renderRates(rates: readonly Rate[]): string {
  const rows = rowsOf(rates);
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${[...lines, ...proposalsFor(rates)].join('\n')}\n`;
}

/** The operations whose bucket is not the one that the sandbox assumes. */
export function proposalsFor(rates: readonly Rate[]): readonly string[] {
  const file = 'packages/cloud-sandbox/src/aws/front/request-limits.ts';
  return rates.flatMap((rate) => {
    const { operation, burst, perSecond, refused } = rate;
    const assumed = assumedFor(operation);
    if (refused === 0)
      return burst > assumed.burst * (1 + tolerance)
        ? [`${operation}: AWS accepts more than the sandbox: raise documentedLimits in ${file}`]
        : [];
    const isSame =
      isNear(burst, assumed.burst) && perSecond !== undefined && isNear(perSecond, assumed.perSecond);
    return isSame ? [] : [`${operation}: measured ${wordsFor(rate)}: set documentedLimits in ${file}`];
  });
}

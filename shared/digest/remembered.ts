import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import type { Severity } from '../problems/kinds.ts';

/** A problem that was seen within the last day. It has ended if it has `endedAt`. Times are epoch milliseconds. */
export interface RememberedProblem {
  readonly kind: string;
  readonly subject: string;
  /** Distinguishes problems of one kind and subject: 1 for the first. */
  readonly ordinal: number;
  readonly severity: Severity;
  /** The severity in the last digest that had it; undefined if no digest had it since it began, or one had its end. */
  readonly toldAs?: Severity;
  /** How often it has begun since it was remembered. */
  readonly begins: number;
  /** Since when it is not seen. */
  readonly awaySince?: number;
  readonly endedAt?: number;
}

/** What the parameter of the digest holds. */
export interface Remembered {
  /** When the last digest was put. */
  readonly toldAt?: number;
  /** When a sweep began to put a digest: it is removed when EventBridge has answered. */
  readonly claimedAt?: number;
  /** Since when a digest is due that EventBridge may not have, or that replaces what a damaged parameter said. */
  readonly owedSince?: number;
  /** The hash of the problems for which the parameter has no room; empty if it has room for all. */
  readonly rest: string;
  readonly problems: readonly RememberedProblem[];
}

export const nothingRemembered: Remembered = { rest: '', problems: [] };

/** Parameter Store takes 4 KB in the tier that costs nothing. */
const mostBytes = 4096;

const formatVersion = 1;

/**
 * The text of the parameter, without braces: Parameter Store reads two of them as a reference to another parameter. Undefined if it has no room.
 * Pure.
 */
export function formatRemembered({
  toldAt,
  claimedAt,
  owedSince,
  rest,
  problems,
}: Remembered): string | undefined {
  const rows = problems.map((one) => [
    one.kind,
    one.subject,
    one.ordinal,
    one.severity,
    one.toldAs ?? null,
    one.begins,
    minuteOf(one.awaySince),
    minuteOf(one.endedAt),
  ]);
  const text = JSON.stringify([
    formatVersion,
    toldAt ?? null,
    claimedAt ?? null,
    owedSince ?? null,
    rest,
    rows,
  ])
    .replaceAll('{', String.raw`\u007b`)
    .replaceAll('}', String.raw`\u007d`);
  return Buffer.byteLength(text) <= mostBytes ? text : undefined;
}

/** Undefined if the text is damaged, or of another version. Pure. */
export function parseRemembered(text: string): Remembered | undefined {
  const parsed = schema().safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const [, toldAt, claimedAt, owedSince, rest, rows] = parsed.data;
  return {
    ...(toldAt !== null && { toldAt }),
    ...(claimedAt !== null && { claimedAt }),
    ...(owedSince !== null && { owedSince }),
    rest,
    problems: rows.map(([kind, subject, ordinal, severity, toldAs, begins, awaySince, endedAt]) => ({
      kind,
      subject,
      ordinal,
      severity,
      ...(toldAs !== null && { toldAs }),
      begins,
      ...(awaySince !== null && { awaySince: awaySince * minute }),
      ...(endedAt !== null && { endedAt: endedAt * minute }),
    })),
  };
}

const minute = 60_000;

const minuteOf = (time: number | undefined): number | null =>
  time === undefined ? null : Math.floor(time / minute);

const schema = lazily(() => {
  // The latest time that a Date takes.
  const time = z.nullable(z.int().check(z.minimum(0), z.maximum(8.64e15)));
  const minutes = z.nullable(z.int().check(z.minimum(0), z.maximum(1.44e11)));
  const severity = z.enum(['critical', 'warning']);
  const count = z.int().check(z.minimum(1));
  const row = z.tuple([
    z.string(),
    z.string(),
    count,
    severity,
    z.nullable(severity),
    count,
    minutes,
    minutes,
  ]);
  return z.tuple([z.literal(formatVersion), time, time, time, z.string(), z.array(row)]);
});

import * as z from 'zod/mini';
import { describeIssues } from '../../base/issues.ts';
import { lazily } from '../../base/lazily.ts';
import { parseJson } from '../../base/parse-json.ts';

/** One bound of a group: what it is without holds, and what Drover has set it to or is about to. */
export interface BoundRecord {
  readonly base: number;
  /** The last one is the newest. More than one while Auto Scaling may still answer with an older one. */
  readonly ours: readonly number[];
}

/**
 * What Drover knows of a group's bounds. It is written before MinSize or MaxSize is changed, so that the next pass knows them again
 * whatever happened in between. A bound that is neither the base nor one of ours was set by something else: it is the new base.
 */
export interface FloorRecord {
  readonly minSize: BoundRecord;
  readonly maxSize: BoundRecord;
  /** Epoch milliseconds of the last change that Drover made or found. */
  readonly changedAt: number;
  /** Epoch milliseconds since when the newest of ours has been asked for: a change that is refused is asked for each minute. */
  readonly askedAt?: number;
  /** The holds lack nodes, and people were told. */
  readonly unmet?: true;
  /** The record had been lost while holds stood: the base is what was found then, and may be too high. */
  readonly lost?: true;
}

/**
 * - `none`: there is no parameter;
 * - `record`: understood;
 * - `newer`: a later version of Drover wrote it, and nothing is changed;
 * - `unreadable`: it is no record, so the base is unknown.
 */
export type FloorReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'record'; readonly record: FloorRecord }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'unreadable'; readonly why: string };

const size = () => z.int().check(z.nonnegative());
const bound = () => z.object({ base: size(), ours: z.array(size()).check(z.maxLength(50)) });

const schema = lazily(() =>
  z.object({
    version: z.literal(1),
    minSize: bound(),
    maxSize: bound(),
    changedAt: z.iso.datetime(),
    askedAt: z.optional(z.iso.datetime()),
    unmet: z.optional(z.literal(true)),
    lost: z.optional(z.literal(true)),
  }),
);

const envelope = lazily(() => z.object({ version: z.int().check(z.minimum(2)) }));

/** Reads the text of the record's parameter; undefined is a parameter that does not exist. */
export function readFloorRecord(text: string | undefined): FloorReading {
  if (text === undefined) return { kind: 'none' };
  const value = parseJson(text);
  const newer = envelope().safeParse(value);
  if (newer.success) return { kind: 'newer', version: newer.data.version };
  const parsed = schema().safeParse(value);
  if (!parsed.success) return { kind: 'unreadable', why: describeIssues(parsed.error) };
  const { minSize, maxSize, changedAt, askedAt, unmet, lost } = parsed.data;
  return {
    kind: 'record',
    record: {
      minSize,
      maxSize,
      changedAt: Date.parse(changedAt),
      ...(askedAt !== undefined && { askedAt: Date.parse(askedAt) }),
      ...(unmet && { unmet }),
      ...(lost && { lost }),
    },
  };
}

export const formatFloorRecord = ({
  minSize,
  maxSize,
  changedAt,
  askedAt,
  unmet,
  lost,
}: FloorRecord): string =>
  JSON.stringify({
    version: 1,
    minSize,
    maxSize,
    changedAt: new Date(changedAt).toISOString(),
    ...(askedAt !== undefined && { askedAt: new Date(askedAt).toISOString() }),
    ...(unmet && { unmet }),
    ...(lost && { lost }),
  });

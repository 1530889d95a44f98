import * as z from 'zod/mini';
import type { HeldGroup } from '../../../shared/capacity/holds/held-group.ts';

/** What one scan of the holds saw. */
export interface LookFact {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Undefined if there were holds and the line does not say what their groups had, as in Drover 0.1. */
  readonly held: readonly HeldGroup[] | undefined;
}

const count = () => z.int().check(z.nonnegative());

const lineSchema = z.looseObject({
  time: z.iso.datetime(),
  message: z.literal('look'),
  // The scan of rolls has a line of the same name.
  holds: count(),
  held: z.optional(
    z.array(
      z.object({
        group: z.string(),
        base: count(),
        asked: count(),
        maxSize: count(),
        instances: count(),
        inService: count(),
        countsUnits: z.optional(z.literal(true)),
        holds: z.array(z.object({ name: z.string(), nodes: count(), schedule: z.optional(z.string()) })),
      }),
    ),
  ),
});

/** Reads the parsed line of a scan; undefined for another line. */
export function readLookFact(line: unknown): LookFact | undefined {
  const parsed = z.safeParse(lineSchema, line);
  if (!parsed.success) return undefined;
  const { time, holds, held = [] } = parsed.data;
  return { at: Date.parse(time), held: holds > 0 && held.length === 0 ? undefined : held };
}

/** Scans that follow each other and saw the same. Times are epoch milliseconds. */
export interface LookSpan {
  readonly from: number;
  readonly to: number;
  readonly held: LookFact['held'];
}

/** Scans come every minute. After such a gap it is not known what the groups had. */
export const unseenMilliseconds = 300_000;

/** Gathers scans in any order: a quiet month is one span. A scan that was repeated in its minute changes nothing. */
export function gatherLooks() {
  const spans: LookSpan[] = [];
  let lastKey = '';
  return {
    add: ({ at, held }: LookFact): void => {
      const key = JSON.stringify(held ?? null);
      const last = spans.at(-1);
      const isNear = last && at >= last.from - unseenMilliseconds && at <= last.to + unseenMilliseconds;
      if (last && isNear && key === lastKey)
        spans[spans.length - 1] = { ...last, from: Math.min(last.from, at), to: Math.max(last.to, at) };
      else spans.push({ from: at, to: at, held });
      lastKey = key;
    },
    /** From the oldest to the newest. */
    spans: (): readonly LookSpan[] => spans.toSorted((one, other) => one.from - other.from),
  };
}

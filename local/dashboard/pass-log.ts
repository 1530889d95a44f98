import * as z from 'zod/mini';
import { parseJson } from '../../shared/base/parse-json.ts';
import type { PassView } from '../../ui/state/types.ts';

/** The last passes in the logs of the functions. */
export interface PassLog {
  /** Takes any line that a function writes, and keeps it if it is about a pass. */
  readonly write: (line: string) => void;
  /** The newest first. */
  readonly latest: () => readonly PassView[];
}

const passSchema = z.object({
  message: z.literal('pass'),
  level: z.string(),
  time: z.iso.datetime(),
  work: z.string(),
  subject: z.string(),
  outcome: z.enum(['done', 'again']),
  reason: z.string(),
  afterSeconds: z.optional(z.number()),
  seconds: z.number(),
});

export function createPassLog({ capacity = 200 }: { readonly capacity?: number } = {}): PassLog {
  let passes: readonly PassView[] = [];
  let count = 0;
  return {
    write: (line) => {
      const read = z.safeParse(passSchema, parseJson(line));
      if (!read.success) return;
      const { level, time, work, subject, outcome, reason, afterSeconds, seconds } = read.data;
      count += 1;
      const pass: PassView = {
        number: count,
        at: Date.parse(time),
        work,
        subject,
        outcome: level === 'error' ? 'failed' : outcome,
        reason,
        afterSeconds,
        seconds,
      };
      passes = [pass, ...passes.slice(0, capacity - 1)];
    },
    latest: () => passes,
  };
}

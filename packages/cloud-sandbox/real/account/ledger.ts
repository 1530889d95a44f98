import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';

const entrySchema = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('begin'),
    run: z.string(),
    accountId: z.string(),
    region: z.string(),
    at: z.string(),
  }),
  // Written before the call: a process that is killed in the middle of it leaves a trace.
  z.object({ event: z.literal('intent'), kind: z.string(), name: z.optional(z.string()) }),
  z.object({ event: z.literal('made'), kind: z.string(), name: z.optional(z.string()) }),
  // AWS answered with an error.
  z.object({ event: z.literal('refused'), kind: z.string(), error: z.string() }),
  // No answer: it may exist.
  z.object({ event: z.literal('unknown'), kind: z.string(), error: z.string() }),
  z.object({ event: z.literal('clean'), at: z.string() }),
]);

export type LedgerEntry = z.infer<typeof entrySchema>;

/** What a run has done in an account. Evidence for people: the sweep finds resources by their mark, without it. */
export interface Ledger {
  readonly add: (entry: LedgerEntry) => void;
}

/** A file with an entry a line, to which several processes append. */
export function fileLedger(file: string): Ledger {
  mkdirSync(dirname(file), { recursive: true });
  return { add: (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`, { flush: true }) };
}

/** The entries of a file; the last line may have been cut off by a crash. */
export function readLedger(file: string): readonly LedgerEntry[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => entrySchema.parse(JSON.parse(line)));
}

import { readPassFact } from '../../../cli/report/facts/pass-fact.ts';
import { gatherPasses, type PassSpan } from '../../../cli/report/facts/pass-spans.ts';

export const start = Date.parse('2026-01-05T08:00:00Z');
export const instanceId = 'i-0123456789abcdef0';

export interface Line {
  /** Seconds after the start. */
  readonly at: number;
  readonly outcome?: 'again' | 'done';
  readonly level?: 'info' | 'error';
  readonly facts?: object;
  readonly causes?: readonly string[];
}

/** The line of a pass, as its function writes it. */
export const lineOf = ({ at, outcome = 'again', level = 'info', facts, causes = ['terminating'] }: Line) => ({
  time: new Date(start + at * 1000).toISOString(),
  level,
  message: 'pass',
  subject: instanceId,
  outcome,
  causes,
  reason: 'because',
  ...(facts && { facts }),
});

/** The spans of the passes of one instance. */
export function spansOf(lines: readonly Line[]): readonly PassSpan[] {
  const gathered = gatherPasses();
  for (const line of lines) {
    const fact = readPassFact(lineOf(line));
    if (!fact) throw new TypeError(`this is not the line of a pass: ${JSON.stringify(line)}`);
    gathered.add(fact);
  }
  return gathered.spans().get(instanceId) ?? [];
}

/** Passes that wait, every 20 s from a time until before another. */
export const waits = (from: number, to: number, facts: object): readonly Line[] =>
  Array.from({ length: Math.ceil((to - from) / 20) }, (_, index) => ({ at: from + index * 20, facts }));

/** A simulated shuffle that needs no randomness. */
export const shuffled = <Item>(items: readonly Item[]): readonly Item[] =>
  items
    .map((item, index) => ({ item, key: (index * 7919) % 1009 }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item);

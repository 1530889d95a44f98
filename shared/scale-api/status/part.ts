import { NoAnswerInTimeError } from '../../base/within-time.ts';
import type { ScaleContext } from '../scale-context.ts';
import { toProblem } from '../to-problem.ts';

/** What was read, or why it is unknown, in words that callers may read. */
export type Part<Value> =
  | { readonly kind: 'known'; readonly value: Value }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Reads one part of an answer. A part that is denied, fails or takes too long is unknown, and the rest of the answer does not wait for it.
 * The log has the error: what AWS says names roles, which are not every caller's to read.
 */
export async function readPart<Value>(
  { withinTime, onPartFailure }: Pick<ScaleContext, 'withinTime' | 'onPartFailure'>,
  {
    what,
    seconds,
    read,
  }: { readonly what: string; readonly seconds: number; readonly read: () => Promise<Value> },
): Promise<Part<Value>> {
  try {
    return { kind: 'known', value: await withinTime(seconds * 1000, read()) };
  } catch (error) {
    onPartFailure(what, error);
    return { kind: 'unknown', reason: `${what}: ${reasonOf(error)}` };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NoAnswerInTimeError) return error.message;
  const { problem } = toProblem(error);
  return problem.status === 500 && problem.type.endsWith('/internal')
    ? 'could not be read; the log of scale-api says why'
    : problem.detail;
}

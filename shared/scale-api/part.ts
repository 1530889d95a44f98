import { NoAnswerInTimeError } from '../base/within-time.ts';
import { toProblem } from './problem.ts';
import type { StatusContext } from './scale-context.ts';

/** What was read, or why it is unknown, in words that callers may read. */
export type Part<Value> =
  | { readonly kind: 'known'; readonly value: Value }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Reads one part of an answer. If the call is denied, fails or takes too long, the part is unknown, and the rest of the answer does not wait
 * for it. The error is only logged: messages of AWS name roles, which not every caller may see.
 */
export async function readPart<Value>(
  {
    withinTime,
    onPartFailure,
    functionName,
  }: Pick<StatusContext, 'withinTime' | 'onPartFailure' | 'functionName'>,
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
    return { kind: 'unknown', reason: `${what}: ${reasonOf(error, functionName)}` };
  }
}

function reasonOf(error: unknown, functionName: string): string {
  if (error instanceof NoAnswerInTimeError) return error.message;
  const { problem } = toProblem(error);
  return problem.status === 500 && problem.type.endsWith('/internal')
    ? `could not be read; see the log of ${functionName}`
    : problem.detail;
}

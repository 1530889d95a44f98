import { flagsToGive } from './setting-errors.ts';

/** Why something could not be read, in one sentence: the message of the error with its cause, and the flag that is missing. Pure. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return [error.message, cause, flagsToGive(error)].filter((part) => part !== undefined).join(': ');
}

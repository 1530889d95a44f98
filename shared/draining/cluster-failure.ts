/** The kinds of the errors of a `DrainCluster` that passes tell apart; the adapter has more. */
const kindOf = (error: unknown): unknown =>
  error instanceof Error && 'kind' in error ? error.kind : undefined;

/** The call was not answered, or the invocation's time was up: it says nothing of what is there. */
export const hasNoAnswer = (error: unknown): boolean =>
  ['unreachable', 'unavailable'].includes(String(kindOf(error))) ||
  (error instanceof Error && error.name === 'AbortError');

/** What was read before is no longer there: it has gone, or another object has its name. */
export const isAboutAnotherObject = (error: unknown): boolean =>
  ['conflict', 'not-found'].includes(String(kindOf(error)));

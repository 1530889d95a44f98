/**
 * The outcome of a piece of work, unless the signal comes first.
 *
 * @throws Error when the signal is aborted before the work has ended. The work may go on: its clients have to refuse later calls.
 */
export async function unlessTimeIsUp<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: timeIsUp, reject } = Promise.withResolvers<never>();
  const onAbort = (): void =>
    reject(new Error('the time of the invocation was up before the pass had ended'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, timeIsUp]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

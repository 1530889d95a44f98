/**
 * The same port, whose methods reject once the signal is aborted. Lambda may freeze a pass that is still running when its invocation
 * is answered, and continue it minutes later: it must not act on what it read before.
 */
export function rejectWhenAborted<Port extends object>(signal: AbortSignal, port: Port): Port {
  const guarded = Object.entries(port).map(([name, method]) => [
    name,
    async (...input: readonly unknown[]): Promise<unknown> => {
      signal.throwIfAborted();
      return await (method as (...input: readonly unknown[]) => unknown)(...input);
    },
  ]);
  return Object.fromEntries(guarded) as Port;
}

/**
 * The result of the work, if it ends before the signal is aborted.
 *
 * @throws Error if the signal is aborted first. The work itself may continue, so its clients must reject later calls.
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

/**
 * Begins a call whose result may be needed later. The promise may be dropped: its failure counts only for code that awaits it, so it is not
 * an unhandled rejection.
 */
export function begin<Value>(call: () => Promise<Value>): Promise<Value> {
  const begun = call();
  begun.catch(() => undefined);
  return begun;
}

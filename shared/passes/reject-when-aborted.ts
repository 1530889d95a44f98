/**
 * The same port, whose methods reject once the signal is aborted. Lambda may freeze a pass whose invocation has been answered
 * without it, and thaw it minutes later: then it must not act on what it saw before.
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

/**
 * The same port, every method of which rejects once the signal is given: a pass whose invocation has been answered without it
 * may thaw in a warm Lambda minutes later, and must not act then on what it saw before.
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

/** Ctrl-C comes from the terminal and, a moment later, from npm, which passes it on: together they are one. */
const sameSignalMilliseconds = 1000;

/** Aborted by the first Ctrl-C. A second one ends the process, after `onGivenUp`: then the sweep is the only way to clean up. */
export function interruption(onGivenUp: () => void): AbortSignal {
  const controller = new AbortController();
  let since = 0;
  const onSignal = (): void => {
    if (!controller.signal.aborted) {
      since = performance.now();
      controller.abort();
    } else if (performance.now() - since > sameSignalMilliseconds) {
      onGivenUp();
      process.exit(130);
    }
  };
  // A closed terminal, too.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  return controller.signal;
}

/**
 * Goes on when the reader of the output has gone: the terminal, or the other end of a pipe that the same Ctrl-C has ended. The clean-up has no need
 * of a reader.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

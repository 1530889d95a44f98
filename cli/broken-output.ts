import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Interrupts } from './interrupts.ts';

/**
 * Ends the program when its output can no longer be written: at once, or at the next safe point of a command that has those. A reader that has
 * read enough closes its pipe (`| head`), and a terminal may be closed: neither is an error to report, and the exit code is that of a program
 * ended by SIGPIPE. Node ignores that signal.
 *
 * @returns the exit code of a broken output, undefined while none is broken
 */
export function endAtBrokenOutput({ interrupt }: Pick<Interrupts, 'interrupt'>): () => ExitCode | undefined {
  let exitCode: ExitCode | undefined;
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      const isClosed = code === 'EPIPE' || (code === 'EIO' && stream.isTTY);
      // Every later write fails again.
      if (exitCode === undefined && !isClosed)
        process.stderr.write(`drover: the output cannot be written: ${message}\n`);
      exitCode ??= isClosed ? exitCodes.pipeClosed : exitCodes.failed;
      if (!interrupt()) process.exit(exitCode);
    });
  return () => exitCode;
}

import { exitCodes } from './exit-codes.ts';

/**
 * Ends the program when its output can no longer be written. A reader that has read enough closes its pipe (`| head`): that is
 * not an error to report, and the exit code is that of a program ended by SIGPIPE. Node ignores that signal.
 */
export function endAtBrokenOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') process.exit(exitCodes.pipeClosed);
      process.stderr.write(`drover: the output cannot be written: ${message}\n`);
      process.exit(exitCodes.failed);
    });
}

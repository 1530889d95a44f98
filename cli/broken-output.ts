import { exitCodes } from './exit-codes.ts';

/**
 * Ends the program where its output can be written no longer. A reader that has read enough closes its pipe (`| head`): that is
 * no error to report, and its exit code is that of a program which SIGPIPE ends. Node ignores that signal.
 */
export function endAtBrokenOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') process.exit(exitCodes.pipeClosed);
      process.stderr.write(`drover: the output cannot be written: ${message}\n`);
      process.exit(exitCodes.failed);
    });
}

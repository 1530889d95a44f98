/** The exit codes of `drover`; the help of every command lists those that it uses. */
export const exitCodes = {
  done: 0,
  /** It did not work: the message says why. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Pods refuse the drain and nothing was evicted: a flag or a person must decide. */
  refused: 3,
  /** The time that was given is over and something is left. */
  timedOut: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a message for the person and an exit code for the script. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** The lines for the end of a command's help. */
export const exitCodesHelp = `
Exit codes:
  0  done
  1  failed: the message says why
  2  the command line is wrong
  3  refused: some pods need a flag or a person; nothing was evicted
  4  the given time is over and something is left`;

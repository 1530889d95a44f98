/** The exit codes of `drover`; the help of every command lists those that it uses. */
export const exitCodes = {
  done: 0,
  /** It did not work: the message says why. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Some pods cannot be drained without a flag or manual action, and no pods were evicted. */
  refused: 3,
  /** The time that was given is over and something is left. */
  timedOut: 4,
  /** No problem was found, and something could not be read: there may be problems. */
  couldNotLook: 5,
  /** Ctrl-C: 128 and the number of SIGINT, as shells report it. */
  interrupted: 130,
  /** The reader of the output closed its pipe: 128 and the number of SIGPIPE. */
  pipeClosed: 141,
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

const usualMeanings = {
  done: 'done',
  failed: 'failed: the message says why',
  usage: 'the command line is wrong',
};

/** The meaning of code 130 for commands that Ctrl-C and SIGTERM end at a safe point. */
export const endsAtSafePoint = { interrupted: 'ended by Ctrl-C or SIGTERM: the message says what was done' };

/** The meaning of code 1 for commands that also refuse. */
export const failedOrRefused = { failed: 'failed or refused: the message says why' };

/** The lines for the end of a command's help: the usual codes, and what else the command has or means by them. */
export function exitCodesHelp(meanings: Partial<Record<keyof typeof exitCodes, string>> = {}): string {
  const all: typeof meanings = { ...usualMeanings, ...meanings };
  // `exitCodes` has the order of the numbers.
  const lines = Object.entries(exitCodes).flatMap(([name, code]) => {
    const meaning = all[name as keyof typeof exitCodes];
    return meaning === undefined ? [] : [`  ${code}  ${meaning}`];
  });
  return `\nExit codes:\n${lines.join('\n')}`;
}

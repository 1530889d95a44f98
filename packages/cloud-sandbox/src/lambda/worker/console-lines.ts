import { stdout } from 'node:process';
import { format } from 'node:util';

const levels = {
  trace: 'TRACE',
  debug: 'DEBUG',
  info: 'INFO',
  log: 'INFO',
  warn: 'WARN',
  error: 'ERROR',
} as const;

interface ConsoleAbout {
  readonly now: () => number;
  /** Of the invocation under way, or of the last one. */
  readonly requestId: () => string;
}

/**
 * Makes `console` write as Node's runtime on Lambda has it: on stdout, with the time, the invocation and the level in front, and
 * each message on one line (Lambda developer guide, "Log and monitor Node.js Lambda functions").
 */
export function writeConsoleLines(about: ConsoleAbout): void {
  for (const [method, level] of Object.entries(levels))
    Object.assign(console, {
      [method]: (...message: readonly unknown[]) =>
        void stdout.write(`${lineOf(level, about, message).replaceAll('\n', '\r')}\n`),
    });
}

const lineOf = (level: string, about: ConsoleAbout, message: readonly unknown[]): string =>
  [new Date(about.now()).toISOString(), about.requestId(), level, format(...message)].join('\t');

/** What the runtime writes of an invocation, or of a start, that failed. */
export function writeError(what: 'Init Error' | 'Invoke Error', thrown: unknown): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name: errorType, message: errorMessage, stack } = error;
  const about = Object.assign({ errorType, errorMessage }, error, stack && { stack: stack.split('\n') });
  console.error(what, `\t${JSON.stringify(about)}`);
}

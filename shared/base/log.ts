import type { Clock } from './clock.ts';
import { redact, redactText, withoutSecrets } from './redact.ts';
import type { Trace } from './trace.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Writes structured lines: one JSON object each, with time, level and message first. Secrets are redacted in every field. */
export interface Log {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  /** With the error, its stack and its causes. */
  error(message: string, error: unknown, fields?: Fields): void;
  /** The same log with these fields on every line. */
  with(fields: Fields): Log;
}

/** What a log needs of its host; the environment has the credentials that no line may contain. */
export interface LogHost {
  readonly clock: Clock;
  readonly writeLine: (line: string) => void;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly trace?: Trace;
}

export function createLog(host: LogHost, always: Fields = {}): Log {
  const write = (level: string, message: string, fields: Fields): void => {
    const time = new Date(host.clock.now()).toISOString();
    const head = { time, level, message: redactText(message) };
    const traceId = host.trace?.traceId();
    const rest = redact({ ...always, ...fields, ...(traceId !== undefined && { traceId }) }) as Fields;
    // The second `head` overwrites fields of the same name; the first one sets the order of the keys.
    host.writeLine(withoutSecrets(JSON.stringify({ ...head, ...rest, ...head }), ownSecrets(host)));
  };
  return {
    info: (message, fields = {}) => write('info', message, fields),
    warn: (message, fields = {}) => write('warn', message, fields),
    error: (message, error, fields = {}) => write('error', message, { ...fields, error }),
    with: (fields) => createLog(host, { ...always, ...fields }),
  };
}

/** The credentials of the function itself. AWS quotes the session token in some refusals. */
export const ownSecrets = ({
  environment,
}: Pick<LogHost, 'environment'>): readonly (string | undefined)[] => [
  environment?.AWS_SECRET_ACCESS_KEY,
  environment?.AWS_SESSION_TOKEN,
];

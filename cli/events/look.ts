import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { type FunctionName, logGroupOf } from './functions.ts';
import { filterPattern } from './pattern.ts';
import { type DroverEvent, readLine } from './read-line.ts';
import { readLog } from './read-log.ts';
import type { Subjects } from './subjects.ts';

export interface FunctionEvent extends DroverEvent {
  readonly function: FunctionName;
}

export interface Look {
  /** The newest last. */
  readonly events: readonly FunctionEvent[];
  /** Functions without a log group. */
  readonly missing: readonly FunctionName[];
  /** Functions with more lines than were read: the oldest are left out. */
  readonly cut: readonly FunctionName[];
  /** Lines that are none of Drover's. */
  readonly skipped: number;
}

export interface Logs {
  readonly client: CloudWatchLogsClient;
  readonly stage: string;
  readonly functions: readonly FunctionName[];
  readonly subjects: Subjects;
}

/**
 * Reads each log once, one after the other: the account has few FilterLogEvents a second. `isNew` is asked for the id of each line.
 *
 * @throws CliError where one cannot be read
 */
export async function lookAtLogs(
  { client, stage, functions, subjects }: Logs,
  since: number,
  isNew: (id: string, at: number) => boolean = () => true,
): Promise<Look> {
  const pattern = filterPattern(subjects);
  const found: { readonly at: number; readonly event: FunctionEvent }[] = [];
  const missing: FunctionName[] = [];
  const cut: FunctionName[] = [];
  let skipped = 0;
  for (const name of functions) {
    const log = await readLog(client, { logGroupName: logGroupOf(stage, name), since, pattern });
    if (log === undefined) missing.push(name);
    if (log?.isCut) cut.push(name);
    for (const { id, at, message } of log?.lines.toReversed() ?? []) {
      if (!isNew(`${name} ${id}`, at)) continue;
      const events = readLine(message, subjects);
      if (events === undefined) skipped += 1;
      for (const event of events ?? []) found.push({ at, event: { function: name, ...event } });
    }
  }
  const events = found.toSorted((one, other) => one.at - other.at).map(({ event }) => event);
  return { events, missing, cut, skipped };
}

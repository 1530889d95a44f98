import { type CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { CliError, exitCodes } from '../exit-codes.ts';

/** A line as CloudWatch Logs keeps it. */
export interface StoredLine {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly message: string;
}

export interface LogRead {
  /** The newest first. */
  readonly lines: readonly StoredLine[];
  /** Older lines were left out: there were too many. */
  readonly isCut: boolean;
}

export interface LogQuery {
  readonly logGroupName: string;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly pattern: string;
}

const mostLines = 2000;
/** A page may be empty although more follow. */
const mostPages = 50;

/**
 * The newest lines of a log group that match; undefined if the group does not exist.
 *
 * @throws CliError `failed` if it cannot be read
 */
export async function readLog(client: CloudWatchLogsClient, query: LogQuery): Promise<LogRead | undefined> {
  try {
    return await readPages(client, query);
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'ResourceNotFoundException') return undefined;
    const remedy =
      name === 'AccessDeniedException' ? '; allow the action logs:FilterLogEvents on this log group' : '';
    throw new CliError(`cannot read ${query.logGroupName}${remedy}`, exitCodes.failed, error);
  }
}

async function readPages(
  client: CloudWatchLogsClient,
  { logGroupName, since, pattern }: LogQuery,
): Promise<LogRead> {
  const lines: StoredLine[] = [];
  let nextToken: string | undefined;
  for (let pages = 0; pages < mostPages && lines.length < mostLines; pages += 1) {
    const page = await client.send(
      new FilterLogEventsCommand({
        logGroupName,
        startTime: since,
        filterPattern: pattern,
        limit: mostLines - lines.length,
        startFromHead: false,
        nextToken,
      }),
    );
    for (const { eventId, timestamp = 0, message = '' } of page.events ?? [])
      lines.push({ id: eventId ?? `${timestamp} ${message}`, at: timestamp, message });
    nextToken = page.nextToken;
    if (nextToken === undefined) break;
  }
  return { lines, isCut: nextToken !== undefined };
}

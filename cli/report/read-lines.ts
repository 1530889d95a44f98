import { type CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { isThrottled } from '../../shared/aws/errors.ts';

/** What to read of one log group. Times are epoch milliseconds. */
export interface LinesQuery {
  readonly logGroupName: string;
  readonly pattern: string;
  readonly since: number;
  readonly until: number;
}

export interface LinesRead {
  readonly lines: number;
  /** The time of the oldest line; undefined without lines. */
  readonly oldest: number | undefined;
  /** Older lines were not read, because there are too many. */
  readonly isCut: boolean;
}

export interface LineReader {
  readonly client: CloudWatchLogsClient;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly onProgress: (progress: LinesRead) => void;
  /** Ends the reading: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** A pass writes a line of about a kilobyte, and AWS sends a megabyte a call: these take minutes. */
export const mostLines = 1_000_000;
/** Pages may be empty although more follow: of a log with few lines that match. */
const mostPages = 5000;
const attempts = 6;

/**
 * Gives the lines of a log group that match to `onLine`, the newest first, and keeps none of them. FilterLogEvents has all lines in pages, costs
 * nothing and is a right that `drover events` has too; Logs Insights ends after 10,000 results and is charged by what it scans.
 *
 * @returns undefined if the log group does not exist.
 * @throws the error of CloudWatch Logs; throttling only if it persists.
 */
export async function readLines(
  { client, pause, onProgress, signal }: LineReader,
  query: LinesQuery,
  onLine: (message: string, timestamp: number) => void,
): Promise<LinesRead | undefined> {
  let nextToken: string | undefined;
  let lines = 0;
  let oldest: number | undefined;
  for (let pages = 0; pages < mostPages && lines < mostLines; pages += 1) {
    signal?.throwIfAborted();
    const page = await patiently(pause, () => client.send(commandOf(query, nextToken)));
    if (page === undefined) return undefined;
    for (const { timestamp, message = '' } of page.events ?? []) {
      lines += 1;
      oldest = Math.min(oldest ?? Infinity, timestamp ?? Infinity);
      onLine(message, timestamp ?? 0);
    }
    // A token that comes again would be read forever.
    const isRepeated = page.nextToken === nextToken;
    nextToken = page.nextToken;
    onProgress({ lines, oldest, isCut: false });
    if (nextToken === undefined || isRepeated)
      return { lines, oldest, isCut: isRepeated && nextToken !== undefined };
  }
  return { lines, oldest, isCut: true };
}

const commandOf = ({ logGroupName, pattern, since, until }: LinesQuery, nextToken: string | undefined) =>
  new FilterLogEventsCommand({
    logGroupName,
    filterPattern: pattern,
    startTime: since,
    endTime: until,
    startFromHead: false,
    limit: 10_000,
    nextToken,
  });

/** The account has few calls of this kind a second, which its other readers need too. */
async function patiently<Answer>(
  pause: LineReader['pause'],
  call: () => Promise<Answer>,
): Promise<Answer | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
      if (!isThrottled(error) || attempt === attempts) throw error;
      await pause(500 * 2 ** attempt);
    }
  }
}

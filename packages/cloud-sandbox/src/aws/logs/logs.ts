import { createHash } from 'node:crypto';
import type {
  DeleteLogGroupRequest,
  DescribeLogGroupsRequest,
  FilterLogEventsRequest,
} from '@aws-sdk/client-cloudwatch-logs';
import type { ServiceParts } from '../integration.ts';
import { page, pageSize } from '../paging.ts';
import { AwsError, type AwsService } from '../service.ts';
import { readFilterPattern } from './filter-pattern.ts';

interface LogEvent {
  /** Counts from 1 in its group. */
  readonly number: number;
  readonly timestamp: number;
  readonly message: string;
}

interface LogGroup {
  readonly stream: string;
  written: number;
  events: LogEvent[];
}

/** How many of the newest lines of each group are kept: at least so many, at most twice as many. */
const keptLines = 5000;
/** "Setting startFromHead to false is supported only when startTime is on or after Jan 1, 2024" (API reference). */
const earliestForNewestFirst = Date.UTC(2024, 0, 1);

/**
 * CloudWatch Logs, as far as groups can be listed and deleted, and what functions wrote can be read. Left out: writing through the API, streams, retention, queries. A group has one
 * stream, a line can be read as soon as it is written, and only the newest lines are kept.
 */
export interface SimulatedLogs extends AwsService {
  readonly operations: ReturnType<typeof operationsOf>;
  readonly controls: {
    readonly createLogGroup: (logGroupName: string) => void;
    /** Makes the group if it is not there: Lambda does. */
    readonly write: (logGroupName: string, message: string) => void;
  };
}

export function createLogs({ clock }: Pick<ServiceParts, 'clock'>): SimulatedLogs {
  const groups = new Map<string, LogGroup>();
  const create = (name: string): LogGroup => {
    const group = groups.get(name) ?? { stream: streamOf(name), written: 0, events: [] };
    groups.set(name, group);
    return group;
  };
  return {
    signingName: 'logs',
    operations: operationsOf(groups),
    controls: {
      createLogGroup: (name) => void create(name),
      write: (name, message) => {
        const group = create(name);
        group.written += 1;
        group.events.push({ number: group.written, timestamp: Math.floor(clock.now()), message });
        if (group.events.length >= 2 * keptLines) group.events = group.events.slice(-keptLines);
      },
    },
  };
}

const streamOf = (name: string): string =>
  `[$LATEST]${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;

const operationsOf = (groups: Map<string, LogGroup>) => ({
  DescribeLogGroups: ({ logGroupNamePrefix = '', limit, nextToken }: DescribeLogGroupsRequest) => {
    const names = [...groups.keys()].filter((name) => name.startsWith(logGroupNamePrefix)).toSorted();
    const size = pageSize(limit, { default: 50, maximum: 50 });
    const found = page(names, {
      nextToken,
      size,
      invalidToken: () => invalid('The specified nextToken is invalid.'),
    });
    return { logGroups: found.items.map((logGroupName) => ({ logGroupName })), nextToken: found.nextToken };
  },
  DeleteLogGroup: ({ logGroupName = '' }: DeleteLogGroupRequest): Record<string, never> => {
    if (!groups.delete(logGroupName)) throw noGroup();
    return {};
  },
  FilterLogEvents: (request: FilterLogEventsRequest) => {
    const { logGroupName, startTime = 0, endTime = Infinity, filterPattern, limit, nextToken } = request;
    if (logGroupName === undefined) throw invalid('Log group name or ARN is required.');
    const matches = readFilterPattern(filterPattern);
    const group = groups.get(logGroupName);
    if (group === undefined) throw noGroup();
    const { isNewestFirst, after } = positionOf(request, nextToken);
    const inOrder = isNewestFirst ? group.events.toReversed() : group.events;
    const rest = inOrder.filter(
      ({ number, timestamp, message }) =>
        (isNewestFirst ? number < after : number > after) &&
        timestamp >= startTime &&
        timestamp <= endTime &&
        matches(message),
    );
    const events = rest.slice(0, pageSize(limit, { default: 10_000, maximum: 10_000 }));
    const last = events.at(-1);
    return {
      events: events.map((event) => toFiltered(event, group)),
      searchedLogStreams: [],
      ...(events.length < rest.length && last && { nextToken: tokenOf(isNewestFirst, last.number) }),
    };
  },
});

const toFiltered = ({ number, timestamp, message }: LogEvent, { stream }: LogGroup) => ({
  logStreamName: stream,
  timestamp,
  message,
  ingestionTime: timestamp,
  eventId: `${timestamp}${String(number).padStart(43, '0')}`,
});

/** "If you provide both nextToken and startFromHead, the direction of the nextToken is used." */
function positionOf({ startFromHead, startTime = 0 }: FilterLogEventsRequest, nextToken: string | undefined) {
  if (nextToken !== undefined) return decode(nextToken);
  const isNewestFirst = startFromHead === false;
  if (isNewestFirst && startTime < earliestForNewestFirst)
    throw invalid('startFromHead can be false only if startTime is on or after January 1, 2024.');
  return { isNewestFirst, after: isNewestFirst ? Infinity : 0 };
}

const tokenOf = (isNewestFirst: boolean, number: number): string =>
  Buffer.from(`${isNewestFirst ? 'before' : 'after'}:${number}`).toString('base64url');

function decode(token: string) {
  const [, direction, number] =
    /^(before|after):(\d+)$/.exec(Buffer.from(token, 'base64url').toString('utf8')) ?? [];
  if (number === undefined) throw invalid('The specified nextToken is invalid.');
  return { isNewestFirst: direction === 'before', after: Number(number) };
}

const invalid = (message: string): AwsError => new AwsError({ code: 'InvalidParameterException', message });
const noGroup = (): AwsError =>
  new AwsError({ code: 'ResourceNotFoundException', message: 'The specified log group does not exist.' });

import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { Clock } from '../../../shared/base/clock.ts';
import type { PassView } from '../../../ui/state/types.ts';
import type { FunctionName } from '../../events/functions.ts';
import { lookAtLogs } from '../../events/look.ts';

/** The functions that make passes about nodes and groups, or begin them: each log is a call. */
const functions: readonly FunctionName[] = [
  'node-leaving',
  'node-joining',
  'intake',
  'sweep',
  'prewarm',
  'roll',
  'etcd-membership',
  'certificate-requests',
];
const hour = 3_600_000;
/** CloudWatch Logs may show a line some time after it was written. */
const overlapMilliseconds = 120_000;
/** A storm of passes is not sent to the page as a whole. */
const mostPasses = 500;

/** Reads what Drover did in the last hour: the first time all of it, then what came since. */
export function passReader(client: CloudWatchLogsClient, clock: Clock) {
  let seen: ReadonlyMap<string, number> = new Map();
  let passes: readonly PassView[] = [];
  let readAt: number | undefined;
  let count = 0;
  return async (stage: string): Promise<readonly PassView[]> => {
    const now = clock.now();
    const first = now - hour;
    const found = new Map<string, number>();
    const from = readAt === undefined ? first : Math.max(first, readAt - overlapMilliseconds);
    const { events } = await lookAtLogs({ client, stage, functions, subjects: undefined }, from, (id, at) => {
      found.set(id, at);
      return !seen.has(id);
    });
    const fresh = events.map((event): PassView => {
      count += 1;
      const { time, subject, outcome, reason } = event;
      return {
        number: count,
        at: Date.parse(time),
        work: event.function,
        subject: subject ?? '',
        outcome,
        reason,
      };
    });
    // Only now: the lines of a reading that failed are read again.
    seen = new Map([...seen, ...found].filter(([, at]) => at >= now - 2 * overlapMilliseconds));
    readAt = now;
    passes = [...fresh, ...passes]
      .filter(({ at }) => at >= first)
      .toSorted((one, other) => other.at - one.at)
      .slice(0, mostPasses);
    return passes;
  };
}

import type { Clock } from '../base/clock.ts';
import { youngestOf } from '../base/youngest-of.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { Ec2 } from '../groups/ec2.ts';
import type { HeartbeatNotice } from './message.ts';
import type { Pace } from './pace.ts';

export interface HeartbeatContext {
  readonly autoScaling: Pick<
    AutoScaling,
    'describeInstance' | 'describeGroup' | 'describeHooks' | 'recordHeartbeat'
  >;
  readonly ec2: Ec2;
  readonly clock: Clock;
  /** A random number from 0 to 1. */
  readonly chance: () => number;
  readonly pace: Pace;
  readonly memory: HeartbeatMemory;
  /** Sends a message that takes the place of the one that the pass is about. Rejects if it could not be sent. */
  readonly replaceMessage: (notice: HeartbeatNotice) => Promise<void>;
  /** Logs an error that does not end the pass. */
  readonly reportError: (message: string, error: unknown) => void;
}

export interface HeartbeatSubject {
  readonly id: string;
  readonly notices: readonly HeartbeatNotice[];
  readonly redelivered: boolean;
}

/**
 * The notices of a subject are about one wait. There are several if a pass was killed before the older message was deleted, and if the sweep
 * found the wait: it knows neither its begin nor a timeout that the hook had before. So the latest times and the shortest timeout count.
 */
export function noticeOf({ notices }: HeartbeatSubject): HeartbeatNotice {
  const [first] = notices;
  if (!first) throw new TypeError('a pass has at least one notice');
  const [restartedAt] = notices.flatMap((notice) => notice.restartedAt ?? []).toSorted(laterFirst);
  const [noticedAt = first.noticedAt] = notices.map((notice) => notice.noticedAt).toSorted(laterFirst);
  const timeouts = notices.flatMap(({ heartbeatTimeoutSeconds }) => heartbeatTimeoutSeconds ?? []);
  return {
    ...first,
    noticedAt,
    ...(restartedAt && { restartedAt }),
    ...(timeouts.length > 0 && { heartbeatTimeoutSeconds: Math.min(...timeouts) }),
  };
}

const laterFirst = (one: string, other: string): number => Date.parse(other) - Date.parse(one);

/**
 * What this environment of the function remembers. Another environment may send the next heartbeat of a wait, so all of it may be missing:
 * it only makes reads rarer.
 */
export interface HeartbeatMemory {
  /** The heartbeat timeout of a hook in seconds, as it was read last. */
  timeout(hook: string): number | undefined;
  rememberTimeout(hook: string, seconds: number): void;
  /** Since when Auto Scaling does not know the instance of the wait, in epoch milliseconds. */
  missingSince(key: string): number | undefined;
  rememberMissing(key: string, at: number): void;
}

const mostWaits = 20_000;
const mostHooks = 2000;

export function createHeartbeatMemory(): HeartbeatMemory {
  const missing = youngestOf<number>(mostWaits);
  const timeouts = youngestOf<number>(mostHooks);
  return {
    timeout: timeouts.get,
    rememberTimeout: timeouts.put,
    missingSince: missing.get,
    rememberMissing: missing.put,
  };
}

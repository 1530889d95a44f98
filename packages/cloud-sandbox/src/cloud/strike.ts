import type { AwsError } from '../aws/service.ts';
import type { UnawaitedWork } from '../lambda/life.ts';

/** A call on its way from a function to AWS, to the API server or to etcd. */
export interface CallInFlight {
  readonly to: 'aws' | 'kubernetes' | 'etcd';
  /** The caller: the name of the function, or of the client that the connection was made for. */
  readonly caller: string;
  /** `sqs SendMessage`, `PATCH /api/v1/nodes/ip-10-0-0-1`. */
  readonly what: string;
}

/**
 * The fault of a call, before the other side gets the request or after it executed it. `fail`: the connection breaks. `hang`: no
 * answer comes, so that the call ends at the caller's own limit, or never where the caller has none. `kill`: the caller stops in
 * this call and is killed at its timeout. `aws-error`, `http-answer`: the other side answers an error.
 */
export type Strike =
  | { readonly kind: `fail-${'before' | 'after'}` }
  | { readonly kind: `${'hang' | 'kill'}-${'before' | 'after'}` }
  | { readonly kind: 'aws-error'; readonly error: AwsError }
  | {
      readonly kind: 'http-answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
    };

/** Lambda's pollers wait for ever, so that nothing hangs for them. */
export type PollerStrike = Extract<Strike, { readonly kind: `fail-${string}` | 'aws-error' }>;

/** How long a call takes, in simulated milliseconds: to the server, and from there back to the caller. */
export interface Latency {
  readonly beforeMilliseconds?: number;
  readonly afterMilliseconds?: number;
}

export interface Weather {
  /** Asked once for every call, when it reaches the server; undefined if there is no fault. */
  readonly strike?: (call: CallInFlight) => Strike | undefined;
  /** Asked once for every call, when it is sent. A number is the way to the server; absent: 0. */
  readonly latencyMilliseconds?: (call: CallInFlight) => number | Latency;
  /**
   * How far behind a read is answered, in seconds; absent: not at all. Of the API server: gets and lists with a resourceVersion, from
   * a watch cache. Of AWS: groups and instances of Auto Scaling, instances and tags of EC2, at most a minute.
   */
  readonly staleSeconds?: (call: CallInFlight) => number;
  /** What becomes of the work that a function did not await, asked at each of its answers; absent: it goes on. */
  readonly unawaitedWork?: (functionName: string) => UnawaitedWork;
  /** How far the clock of a function, or of `kubernetes`, is from AWS's; absent: 0. */
  readonly clockOffsetMilliseconds?: (part: string) => number;
  /** As `strike`, of the calls that Lambda's pollers make to SQS; the caller is `lambda`. */
  readonly pollerStrike?: (call: CallInFlight) => PollerStrike | undefined;
  /** Called for every call when it reaches the server. */
  readonly onCall?: (call: CallInFlight) => void;
}

import type { AwsError } from '../aws/service.ts';

/** A call on its way from a function to AWS, to the API server or to etcd. */
export interface CallInFlight {
  readonly to: 'aws' | 'kubernetes' | 'etcd';
  /** Who calls: the function's name, or whatever the door was made for. */
  readonly caller: string;
  /** `sqs SendMessage`, `PATCH /api/v1/nodes/ip-10-0-0-1`. */
  readonly what: string;
}

/**
 * What strikes a call. `fail-*`: the connection breaks, before the other side hears of it or after it did what was asked.
 * `hang-*`: nobody ever answers, so that the caller runs into its time-out and is killed there. `answer`: an error of the
 * other side's own.
 */
export type Strike =
  | { readonly kind: 'fail-before' | 'fail-after' | 'hang-before' | 'hang-after' }
  | { readonly kind: 'aws-error'; readonly error: AwsError }
  | {
      readonly kind: 'http-answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
    };

export interface Weather {
  /** Asked once for every call; undefined: nothing strikes. */
  readonly strike?: (call: CallInFlight) => Strike | undefined;
  /** How long a call takes, in simulated milliseconds; 0 without it. */
  readonly latencyMilliseconds?: () => number;
  /** Told of every call when it is made. */
  readonly onCall?: (call: CallInFlight) => void;
}

import type { AwsError } from '../aws/service.ts';

/** A call on its way from a function to AWS, to the API server or to etcd. */
export interface CallInFlight {
  readonly to: 'aws' | 'kubernetes' | 'etcd';
  /** The caller: the name of the function, or of the client that the door was made for. */
  readonly caller: string;
  /** `sqs SendMessage`, `PATCH /api/v1/nodes/ip-10-0-0-1`. */
  readonly what: string;
}

/**
 * The fault of a call. `fail-*`: the connection breaks, before the other side gets the request or after it executed it.
 * `hang-*`: no answer ever comes, so that the caller is killed at its time-out. `answer`: the other side answers an error.
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

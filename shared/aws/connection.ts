import type { Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import type { Trace } from '../base/trace.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** When AWS stops accepting them; absent: unknown, or never. */
  readonly expiration?: Date;
}

/** A call that AWS refused for its rate: `Auto Scaling`, `CompleteLifecycleAction`. */
export interface ThrottledCall {
  readonly service: string;
  readonly operation: string;
}

/** How to reach AWS, and with which credentials. */
export interface AwsConnection {
  readonly region: string;
  /** Called before each request: a role's credentials change. */
  readonly credentials: () => AwsCredentials | Promise<AwsCredentials>;
  /** `AWS_ENDPOINT_URL`, `AWS_USE_FIPS_ENDPOINT` and the like are read from here. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly requestHandler: AwsRequestHandler;
  /** Dates what Drover signs itself; the SDK takes the machine's. */
  readonly clock: Clock;
  /** Defaults to three. One in the simulation, because the SDK waits on the machine's timers between attempts. */
  readonly maxAttempts?: number;
  /** Records every attempt of a call; absent: none. */
  readonly trace?: Trace;
  /** Called for each attempt that AWS refuses for the rate of calls. */
  readonly onThrottled?: (call: ThrottledCall) => void;
}

/** A signed request as the AWS SDK gives it to its request handler. */
export interface AwsHttpRequest {
  readonly method: string;
  /** `https:` */
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | string[] | null>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Drover sends no streams. */
  readonly body?: string | Uint8Array | undefined;
}

export interface AwsHttpResponse {
  readonly statusCode: number;
  /** Names in lower case. */
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array | Readable | undefined;
}

/** What `client.send` passes on. */
export interface AwsRequestOptions {
  /** Milliseconds; absent: the handler's own. */
  readonly requestTimeout?: number;
  /** How long the whole exchange may take, so that an answer that drips ends too; absent: the handler's own. */
  readonly longestMilliseconds?: number;
  /** A longer answer is refused; absent: the handler's own limit. */
  readonly longestAnswerBytes?: number;
  readonly abortSignal?: unknown;
}

/** Carries one request to AWS and its answer back; rejects when there is none. The SDK retries. */
export interface AwsRequestHandler {
  readonly handle: (
    request: AwsHttpRequest,
    options?: AwsRequestOptions,
  ) => Promise<{ readonly response: AwsHttpResponse }>;
}

import type { AwsCredentials, AwsRequestHandler, ThrottledCall } from '../aws/connection.ts';
import type { Clock, TimerClock } from '../base/clock.ts';
import type { LambdaHandler } from '../base/lambda.ts';
import type { Trace } from '../base/trace.ts';
import type { StreamGateway } from '../etcd-api/http.ts';
import type { SendHttp } from '../net/http.ts';
import type { SendDatagram } from '../net/send-datagram.ts';

/**
 * The machine that a function runs on: everything outside the function is reached through it. On AWS it is the process itself; in
 * the sandbox every part of it is simulated.
 */
export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Unpredictable bytes for secrets and names. */
  readonly randomBytes: (size: number) => Uint8Array;
  /** The credentials for AWS; absent: those of the environment. */
  readonly awsCredentials?: () => AwsCredentials | Promise<AwsCredentials>;
  /** Sends the requests to AWS; absent: `sendHttp` does. */
  readonly awsRequestHandler?: AwsRequestHandler;
  /**
   * How often the SDK tries a call; by default three times, and once through `awsRequestHandler`: the SDK waits between attempts with the
   * machine's timers, which are not those of a simulation unless it replaces them.
   */
  readonly awsMaxAttempts?: number;
  /** Sends the requests to the Kubernetes API server, and to AWS. */
  readonly sendHttp: SendHttp;
  /** Streams answers that are too long to hold in memory, such as etcd snapshots; absent: over a connection of its own. */
  readonly streamHttp?: StreamGateway;
  /** Sends the requests to AWS instead of `sendHttp`. */
  readonly sendHttpToAws?: SendHttp;
  /** Hands documents to the X-Ray daemon; absent: there is none. */
  readonly sendDatagram?: SendDatagram;
  /** Records the calls of an invocation; absent: tracing is off. */
  readonly trace?: Trace;
  /** Counts the calls that AWS refuses for their rate; absent: they are not counted. */
  readonly onThrottled?: (call: ThrottledCall) => void;
  /** One line of structured log or embedded metrics. */
  readonly writeLine: (line: string) => void;
}

/** The host of a function on Lambda, or in the sandbox: its clock has timers, for what runs beside a function's work. */
export interface FunctionHost extends Host {
  readonly clock: TimerClock;
}

/**
 * The `create` of every file in functions/ builds the handler for a host; the sandbox calls it with its own. `handler` is what
 * Lambda calls.
 */
export type CreateHandler<Event = unknown, Result = unknown> = (
  host: FunctionHost,
) => LambdaHandler<Event, Result>;

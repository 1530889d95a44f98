import type { Clock } from '../base/clock.ts';
import type { Trace } from '../base/trace.ts';
import type { AwsRequestHandler } from './request-handler.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
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
  /** Absent: three. One in the simulation, because the SDK waits on the machine's timers between attempts. */
  readonly maxAttempts?: number;
  /** Records every attempt of a call; absent: none. */
  readonly trace?: Trace;
}

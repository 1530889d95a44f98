import type { Clock } from '../base/clock.ts';
import type { AwsRequestHandler } from './request-handler.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** How AWS is reached, and as whom. */
export interface AwsConnection {
  readonly region: string;
  /** Asked for before every call: a role's credentials change. */
  readonly credentials: () => AwsCredentials | Promise<AwsCredentials>;
  /** Absent: AWS itself. */
  readonly endpoint?: string;
  readonly requestHandler: AwsRequestHandler;
  readonly clock: Clock;
}

import type { AwsCredentials } from '../aws/connection.ts';
import type { AwsRequestHandler } from '../aws/request-handler.ts';
import type { Clock } from '../base/clock.ts';
import type { StreamGateway } from '../etcd-api/http.ts';
import type { SendHttp } from '../net/http.ts';

/**
 * The machine that a function runs on, and the only seam between a Lambda and the world: on AWS it is the process
 * itself, in the simulation every part of it is the simulation's.
 */
export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Unpredictable bytes for secrets and names. */
  readonly randomBytes: (size: number) => Uint8Array;
  /** Who calls AWS; absent: whom the environment names. */
  readonly awsCredentials?: () => AwsCredentials | Promise<AwsCredentials>;
  /** Carries the requests to AWS; absent: `sendHttp` does. */
  readonly awsRequestHandler?: AwsRequestHandler;
  /** Carries the requests to the Kubernetes API server, and to AWS. */
  readonly sendHttp: SendHttp;
  /** Carries answers that are too long to hold: snapshots of etcd; absent: over a connection of its own. */
  readonly streamHttp?: StreamGateway;
  /** One line of structured log or embedded metrics. */
  readonly writeLine: (line: string) => void;
}

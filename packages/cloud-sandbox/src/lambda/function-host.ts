import type { AwsRequestHandler } from '../aws/front/request-handler.ts';
import type { StreamGateway } from '../etcd/gateway-request.ts';
import type { SendHttp } from '../net/http.ts';
import type { SimulationClock } from '../simulation/clock.ts';

/** The machine of a function that runs in this process: no sockets, no time and no chance but the simulation's. */
export interface FunctionHost {
  /** The template's variables, the region and the credentials of the function's role. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Its timers end with the machine. */
  readonly clock: SimulationClock;
  readonly randomBytes: (size: number) => Uint8Array;
  /** For clients of the AWS SDK. */
  readonly awsRequestHandler: AwsRequestHandler;
  /** Leads to the API server, and to the client ports of etcd's members. */
  readonly sendHttp: SendHttp;
  /** Leads to etcd's members, for snapshots. */
  readonly streamHttp: StreamGateway;
  /** One line of the function's log. */
  readonly writeLine: (line: string) => void;
}

/** What a function sees of its invocation. */
export interface LambdaContext {
  readonly awsRequestId: string;
  readonly functionName: string;
  getRemainingTimeInMillis(): number;
}

export type LambdaHandler = (event: unknown, context: LambdaContext) => Promise<unknown>;

/** Starts a function on a machine: once for each execution environment. */
export type CreateHandler = (host: FunctionHost) => LambdaHandler;

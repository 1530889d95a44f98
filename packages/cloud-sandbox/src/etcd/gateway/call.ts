import * as z from 'zod/mini';
import type { SimulationClock } from '../../simulation/clock.ts';
import { badRequest, failures, GrpcError } from '../failure.ts';
import type { Machines } from '../machines.ts';
import type { EtcdProcess } from '../process.ts';

/** One RPC as it has reached a member. */
export interface RpcCall {
  readonly machines: Machines;
  readonly clock: SimulationClock;
  readonly process: EtcdProcess;
  /** Of the URL: `?exclude=NOSPACE`. */
  readonly query: URLSearchParams;
  /** JSON, not looked at yet. */
  readonly body: unknown;
  /** Epoch milliseconds, of `Grpc-Timeout`; undefined: the caller waits for ever. */
  readonly deadline: number | undefined;
}

export type Rpc = (call: RpcCall) => Promise<object>;

/** Reads the body as protobuf's JSON would: unknown fields are passed over. */
export function readBody<T>({ body }: RpcCall, schema: z.ZodMiniType<T>): T {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  const [issue] = error.issues;
  throw new GrpcError(badRequest(`proto: invalid value for field ${issue?.path.join('.') ?? ''}`));
}

/** What a member gives a request of its own accord (`ReqTimeout`: 5 s and two elections). */
const requestMilliseconds = 7_000;
const lookMilliseconds = 100;

/** Resolves once there is a leader, or throws what etcd answers if none comes in time. */
export function quorumOf(call: RpcCall): Promise<void> {
  return leaderBy(call, call.clock.now() + requestMilliseconds);
}

/** As a proposal waits, to which etcd gives no end of its own. */
export function leaderOf(call: RpcCall): Promise<void> {
  return leaderBy(call, Number.POSITIVE_INFINITY);
}

function leaderBy(
  { process, clock, deadline = Number.POSITIVE_INFINITY }: RpcCall,
  own: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (process.quorum.leader() !== undefined) resolve();
      else if (clock.now() >= deadline) reject(new GrpcError(failures.deadline));
      else if (clock.now() >= own) reject(new GrpcError(failures.timedOut));
      else if (deadline === Number.POSITIVE_INFINITY && own === deadline) return;
      else clock.after(lookMilliseconds, look);
    };
    look();
  });
}

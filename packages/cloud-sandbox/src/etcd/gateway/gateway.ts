import * as z from 'zod/mini';
import type { SimulationClock } from '../../simulation/clock.ts';
import { badRequest, failures, GrpcError, type GrpcFailure } from '../failure.ts';
import { answersAsLearner, type Machines } from '../machines.ts';
import type { EtcdProcess } from '../process.ts';
import { type Rpc, type RpcCall, readBody } from './call.ts';
import { probes } from './health.ts';
import { keyRpcs } from './keys.ts';
import { maintenanceRpcs } from './maintenance.ts';
import { membershipRpcs } from './membership.ts';
import { snapshotLines } from './snapshot.ts';

export interface EtcdRequest {
  readonly method: string;
  /** `/v3/cluster/member/list` */
  readonly path: string;
  /** `?exclude=NOSPACE`; default: none. */
  readonly query?: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface EtcdAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The pieces of the body in order; a snapshot is many. */
  readonly body: Iterable<string>;
}

export interface GatewayOptions {
  readonly machines: Machines;
  readonly clock: SimulationClock;
}

const rpcs: Readonly<Record<string, Rpc>> = { ...membershipRpcs, ...maintenanceRpcs, ...keyRpcs };
const snapshotPath = '/v3/maintenance/snapshot';
const learnersAnswer = new Set(['/v3/maintenance/status', snapshotPath]);

/**
 * The client port of one member: grpc-gateway's JSON (POST for every RPC) and the probes. What is simulated: membership,
 * status, snapshots, and single keys; nothing of leases, watches, authentication.
 */
export async function answerAt(
  { machines, clock }: GatewayOptions,
  process: EtcdProcess,
  request: EtcdRequest,
): Promise<EtcdAnswer> {
  const deadline = deadlineOf(request.headers['grpc-timeout'], clock.now());
  const probe = request.method === 'GET' ? probes[request.path] : undefined;
  try {
    const query = new URLSearchParams(request.query);
    const call = { machines, clock, process, query, body: bodyOf(request), deadline };
    if (probe !== undefined) {
      const { status, body } = await probe(call);
      return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: [body] };
    }
    return json(200, await answerRpc(request, call));
  } catch (error) {
    if (!(error instanceof GrpcError)) throw error;
    return failed(error.failure);
  }
}

async function answerRpc({ method, path }: EtcdRequest, call: RpcCall): Promise<Iterable<string>> {
  const rpc = rpcs[path];
  if (rpc === undefined && path !== snapshotPath) throw new GrpcError(failures.notThere);
  if (method !== 'POST') throw new GrpcError(failures.notImplemented);
  if (!learnersAnswer.has(path) && isRefusedByLearner(path, call))
    throw new GrpcError(failures.notForLearners);
  return rpc === undefined ? snapshotLines(call.process) : [JSON.stringify(await rpc(call))];
}

const serializableBody = z.object({ serializable: z.optional(z.boolean()) });

/** A learner answers only reads that need no other member (`isRPCSupportedForLearner`). */
function isRefusedByLearner(path: string, call: RpcCall): boolean {
  const isLearner = answersAsLearner(call.machines, call.process);
  return isLearner && !(path === '/v3/kv/range' && readBody(call, serializableBody).serializable === true);
}

const json = (status: number, body: Iterable<string>): EtcdAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body,
});

const failed = ({ status, code, message }: GrpcFailure): EtcdAnswer =>
  json(status, [JSON.stringify({ code, message })]);

function bodyOf({ body }: EtcdRequest): unknown {
  if (body === '') return {};
  try {
    return JSON.parse(body);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new GrpcError(badRequest(`proto: syntax error: ${cause.message}`));
  }
}

const unitMilliseconds: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
};

/** `Grpc-Timeout: 3S`. */
function deadlineOf(timeout: string | undefined, now: number): number | undefined {
  const [, amount, unit = ''] = /^(\d+)([HMSmun])$/.exec(timeout ?? '') ?? [];
  const milliseconds = unitMilliseconds[unit];
  return amount === undefined || milliseconds === undefined ? undefined : now + Number(amount) * milliseconds;
}

import { GrpcError } from '../failure.ts';
import type { RpcCall } from './call.ts';
import { quorumOf } from './call.ts';
import { simulatedVersion } from './maintenance.ts';

export interface PlainAnswer {
  readonly status: number;
  readonly body: string;
}

const health = async ({ process }: RpcCall): Promise<PlainAnswer> =>
  process.quorum.leader() === undefined
    ? { status: 503, body: '{"health":"false","reason":"RAFT NO LEADER"}\n' }
    : { status: 200, body: '{"health":"true","reason":""}' };

/** A linearizable read, which takes its time to fail. */
async function readyz(call: RpcCall): Promise<PlainAnswer> {
  try {
    await quorumOf(call);
    return { status: 200, body: 'ok\n' };
  } catch (error) {
    if (!(error instanceof GrpcError)) throw error;
    return { status: 503, body: `[-]linearizable_read failed: ${error.message}\n` };
  }
}

/** What probes ask for with GET (etcd `etcdhttp/health.go`, `version.go`). */
export const probes: Readonly<Record<string, (call: RpcCall) => Promise<PlainAnswer>>> = {
  '/health': health,
  '/livez': async () => ({ status: 200, body: 'ok\n' }),
  '/readyz': readyz,
  '/version': async () => ({
    status: 200,
    body: JSON.stringify({ etcdserver: simulatedVersion, etcdcluster: '3.6.0' }),
  }),
};

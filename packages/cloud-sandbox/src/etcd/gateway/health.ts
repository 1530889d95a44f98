import { GrpcError } from '../failure.ts';
import type { RpcCall } from './call.ts';
import { quorumOf } from './call.ts';
import { simulatedVersion } from './maintenance.ts';

export interface PlainAnswer {
  readonly status: number;
  readonly body: string;
}

/** Alarms come first (`checkAlarms`); each `exclude` of the query leaves one kind out. */
const health = async ({ process: { quorum }, query }: RpcCall): Promise<PlainAnswer> => {
  const excluded = query.getAll('exclude');
  const raised = quorum.alarms().find(({ alarm }) => !excluded.includes(alarm));
  if (raised) return unhealthy(`ALARM ${raised.alarm}`);
  if (quorum.leader() === undefined) return unhealthy('RAFT NO LEADER');
  return { status: 200, body: '{"health":"true","reason":""}' };
};

const unhealthy = (reason: string): PlainAnswer => ({
  status: 503,
  body: `${JSON.stringify({ health: 'false', reason })}\n`,
});

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

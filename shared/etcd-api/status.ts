import { type EndpointStatus, type EtcdEndpoint, EtcdError } from '../etcd/cluster.ts';
import type { Gateway } from './gateway.ts';
import { read, statusAnswer, toHexadecimal } from './schemas.ts';

/** What one endpoint says of itself; silence is an answer too. Rejects only for what is not etcd's. */
export async function endpointStatus(gateway: Gateway, endpoint: EtcdEndpoint): Promise<EndpointStatus> {
  try {
    const [answer, healthy] = await Promise.all([
      gateway.call(endpoint, { path: '/v3/maintenance/status', body: {} }),
      isHealthy(gateway, endpoint),
    ]);
    const { header, version, dbSize, isLearner } = read(statusAnswer(), answer, 'the status');
    return {
      kind: 'answers',
      clusterId: toHexadecimal(header.cluster_id),
      memberId: header.member_id,
      healthy,
      isLearner,
      version,
      databaseBytes: Number(dbSize),
    };
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error;
    const why = error.code === 'denied' ? 'certificate' : 'unreachable';
    return { kind: 'silent', why, message: error.message };
  }
}

/** A member that says nothing of its health in time has none; whether it answers at all, its status tells. */
async function isHealthy(gateway: Gateway, endpoint: EtcdEndpoint): Promise<boolean> {
  try {
    return await gateway.isHealthy(endpoint);
  } catch (error) {
    if (error instanceof EtcdError) return false;
    throw error;
  }
}

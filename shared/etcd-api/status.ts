import { type EndpointStatus, type EtcdAlarm, type EtcdEndpoint, EtcdError } from '../etcd/cluster.ts';
import type { Gateway } from './gateway.ts';
import { read, statusAnswer, toHexadecimal } from './schemas.ts';

/** The status of one endpoint; `silent` if it does not answer. Rejects only for errors that are not an EtcdError. */
export async function endpointStatus(gateway: Gateway, endpoint: EtcdEndpoint): Promise<EndpointStatus> {
  try {
    const [answer, healthy] = await Promise.all([
      gateway.call(endpoint, { path: '/v3/maintenance/status', body: {} }),
      isHealthy(gateway, endpoint),
    ]);
    const { header, version, dbSize, isLearner, errors } = read(statusAnswer(), answer, 'the status');
    return {
      kind: 'answers',
      clusterId: toHexadecimal(header.cluster_id),
      memberId: header.member_id,
      healthy,
      alarms: errors.flatMap(alarmIn),
      isLearner,
      version,
      databaseBytes: Number(dbSize),
      revision: header.revision,
    };
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error;
    const why = error.code === 'denied' ? 'certificate' : 'unreachable';
    return { kind: 'silent', why, message: error.message };
  }
}

/** `memberID:10276657743932975437 alarm:NOSPACE `, among errors such as `etcdserver: no leader` (etcd `v3rpc/maintenance.go`, Status). */
function alarmIn(error: string): readonly EtcdAlarm[] {
  const [, memberId, name] = /^memberID:(\d+) alarm:(\w+)/.exec(error) ?? [];
  return memberId && name ? [{ memberId, name }] : [];
}

/** A member that does not report its health in time counts as unhealthy. */
async function isHealthy(gateway: Gateway, endpoint: EtcdEndpoint): Promise<boolean> {
  try {
    return await gateway.isHealthy(endpoint);
  } catch (error) {
    if (error instanceof EtcdError) return false;
    throw error;
  }
}

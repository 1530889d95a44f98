import {
  type EndpointStatus,
  type EtcdAlarm,
  type EtcdCluster,
  type EtcdEndpoint,
  EtcdError,
  type EtcdMember,
  type MemberList,
} from '../etcd/cluster.ts';
import { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
import {
  memberAddAnswer,
  memberListAnswer,
  membersAnswer,
  rangeAnswer,
  read,
  statusAnswer,
  toHexadecimal,
  toMember,
} from './schemas.ts';

/** The membership of an etcd cluster over the JSON gateways of its members, with mutual TLS. */
export function createEtcdCluster(options: GatewayOptions): EtcdCluster {
  const gateway = createGateway(options);
  const change = async (endpoints: readonly EtcdEndpoint[], verb: 'promote' | 'remove', memberId: string) => {
    const call = { path: `/v3/cluster/member/${verb}`, body: { ID: memberId } };
    const answer = await gateway.first(endpoints, (endpoint) => gateway.call(endpoint, call));
    read(membersAnswer(), answer, `the answer to ${verb}`);
  };
  return {
    status: (endpoint) => endpointStatus(gateway, endpoint),
    members: (endpoints) => gateway.firstAnswer(endpoints, (endpoint) => listMembers(gateway, endpoint)),
    addLearner: (endpoints, peerURLs) => addMember(gateway, endpoints, { peerURLs, isLearner: true }),
    addVoter: (endpoints, peerURLs) => addMember(gateway, endpoints, { peerURLs }),
    promote: (endpoints, memberId) => change(endpoints, 'promote', memberId),
    remove: (endpoints, memberId) => change(endpoints, 'remove', memberId),
  };
}

/** A linearizable read that returns no key. It shows that the member has quorum and is up to date. */
const quorumRead = { path: '/v3/kv/range', body: { key: 'AA==', count_only: true } };
const linearizableList = { path: '/v3/cluster/member/list', body: { linearizable: true } };

/** etcd 3.4 has no linearizable list, so a linearizable read first shows that the member is not behind. */
async function listMembers(gateway: Gateway, endpoint: EtcdEndpoint): Promise<MemberList> {
  read(rangeAnswer(), await gateway.call(endpoint, quorumRead), 'the read');
  const answer = await gateway.call(endpoint, linearizableList);
  const { header, members } = read(memberListAnswer(), answer, 'the list of members');
  return { clusterId: toHexadecimal(header.cluster_id), members: members.map(toMember) };
}

async function addMember(
  gateway: Gateway,
  endpoints: readonly EtcdEndpoint[],
  body: { readonly peerURLs: readonly string[]; readonly isLearner?: true },
): Promise<EtcdMember> {
  const call = { path: '/v3/cluster/member/add', body };
  const answer = await gateway.first(endpoints, (endpoint) => gateway.call(endpoint, call));
  return toMember(read(memberAddAnswer(), answer, 'the answer to add').member);
}

/** The status of one endpoint; `silent` if it does not answer. Rejects only for errors that are not an EtcdError. */
async function endpointStatus(gateway: Gateway, endpoint: EtcdEndpoint): Promise<EndpointStatus> {
  try {
    const [answer, healthy] = await Promise.all([
      gateway.call(endpoint, { path: '/v3/maintenance/status', body: {} }),
      isHealthy(gateway, endpoint),
    ]);
    const { header, version, dbSize, isLearner, leader, errors } = read(statusAnswer(), answer, 'the status');
    return {
      kind: 'answers',
      clusterId: toHexadecimal(header.cluster_id),
      memberId: header.member_id,
      healthy,
      alarms: errors.flatMap(alarmIn),
      isLearner,
      ...(leader === header.member_id && { leads: true as const }),
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

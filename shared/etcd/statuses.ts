import { canVote, type EndpointStatus, type MemberList } from './cluster.ts';
import type { BirthState, findZoneMark } from './mark.ts';
import type { ClusterObservation } from './observe.ts';

/** The statuses by instance; empty if the members were not asked. */
export const statusesOf = (cluster: ClusterObservation): ReadonlyMap<string, EndpointStatus> =>
  cluster.kind === 'asked' ? cluster.statuses : new Map();

/** The list of members; undefined if the members were not asked, or none of them has quorum. */
export const listOf = (cluster: ClusterObservation): MemberList | undefined =>
  cluster.kind === 'asked' ? cluster.list : undefined;

/** An etcd that runs on an instance. */
export interface RunningEtcd {
  readonly instanceId: string;
  /** Undefined if it refuses our certificate. */
  readonly clusterId?: string;
  /** A clause for an operator. */
  readonly what: string;
}

/** The instances on which an etcd runs: it answers, with or without quorum, or one side refuses the certificate of the other. */
export const runningEtcds = (statuses: ReadonlyMap<string, EndpointStatus>): readonly RunningEtcd[] =>
  [...statuses].flatMap(([instanceId, status]): readonly RunningEtcd[] => {
    if (status.kind === 'answers')
      return [{ instanceId, clusterId: status.clusterId, what: `etcd answers on ${instanceId}` }];
    return status.why === 'certificate'
      ? [
          {
            instanceId,
            what: `an etcd listens on ${instanceId}, and a certificate is refused (${status.message})`,
          },
        ]
      : [];
  });

/**
 * The instances whose etcd may be asked for the list of members: voters with quorum. If the cluster of the domain has one, only its
 * own: another etcd on an instance must not hide it. Otherwise any voter, so that the other cluster is reported.
 */
export function listSources(
  statuses: ReadonlyMap<string, EndpointStatus>,
  mark: ReturnType<typeof findZoneMark>,
): ReadonlySet<string> {
  const voters = [...statuses].filter(([, status]) => canVote(status));
  const own = typeof mark === 'object' ? voters.filter((voter) => isOf(mark.birth, voter)) : [];
  return new Set((own.length > 0 ? own : voters).map(([instanceId]) => instanceId));
}

function isOf(birth: BirthState, [instanceId, status]: readonly [string, EndpointStatus]): boolean {
  if (birth.kind === 'forming') return birth.set.includes(instanceId);
  return birth.kind === 'born' && status.kind === 'answers' && status.clusterId === birth.clusterId;
}

const advice: Readonly<Record<string, string>> = {
  NOSPACE:
    'its database has reached its quota, so Kubernetes can write nothing: compact and defragment it or raise --quota-backend-bytes, then run etcdctl alarm disarm',
  CORRUPT: "its data differs from that of the others: see etcd's documentation of data corruption",
};

/** The alarms that members of the cluster report, one sentence each. Every member reports the alarms of all. */
export function alarmProblems(
  statuses: ReadonlyMap<string, EndpointStatus>,
  clusterId: string,
): readonly string[] {
  const answers = [...statuses].flatMap(([instanceId, status]) =>
    status.kind === 'answers' && status.clusterId === clusterId ? [{ instanceId, ...status }] : [],
  );
  const alarms = answers.flatMap(({ alarms: raised }) => raised);
  return [
    ...new Set(
      alarms.map(({ memberId, name }) => {
        const instanceId = answers.find((one) => one.memberId === memberId)?.instanceId;
        return `etcd has raised the alarm ${name} on ${instanceId ?? `member ${memberId}`}${advice[name] ? `: ${advice[name]}` : ''}`;
      }),
    ),
  ];
}

/**
 * Promotions made by 3.5.1 to 3.5.19 are not written to the database that 3.6 reads (etcd-io/etcd#19557, #20793). Only 3.5.26 writes the whole
 * list of members there, so that removed members do not return either (https://etcd.io/blog/2025/zombie_members_upgrade/).
 */
const forgetsPromotions = (version: string): boolean => {
  const patch = Number(/^3\.5\.(\d+)(?:$|[-+])/.exec(version)?.[1] ?? 0);
  return patch >= 1 && patch <= 19;
};

/** One sentence if members run versions that forget promotions: Drover promotes every member that it adds. */
export function versionProblems(
  statuses: ReadonlyMap<string, EndpointStatus>,
  clusterId: string,
): readonly string[] {
  const found = [...statuses.values()].flatMap((status) =>
    status.kind === 'answers' && status.clusterId === clusterId && forgetsPromotions(status.version)
      ? [status.version]
      : [],
  );
  if (found.length === 0) return [];
  return [
    `etcd ${[...new Set(found)].toSorted().join(', ')} does not keep the promotion of learners, so etcd 3.6 would not start with this data: upgrade every member to 3.5.26 or later before 3.6`,
  ];
}

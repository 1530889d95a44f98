import type { Cloud } from '@drover/cloud-sandbox';
import type { MemberRecord, RunningMember } from '@drover/cloud-sandbox/etcd';
import { srvServices } from '../../shared/etcd/names.ts';

/** etcd at one moment: the records in DNS, and the running members. */
export interface EtcdSightView {
  /** The name of the SRV set by which members find one another. */
  readonly srvName: string;
  /** The instances in that set, sorted. */
  readonly shown: readonly string[];
  readonly members: readonly EtcdMemberView[];
  /** The instances on the member lists of those that run, whether they run themselves or not. */
  readonly listed: readonly string[];
}

export interface EtcdMemberView {
  readonly instanceId: string;
  /** Hexadecimal, as etcdctl shows it. */
  readonly clusterId: string;
  /** From the member list of its cluster, which no longer has a removed member. */
  readonly standing: 'voter' | 'learner' | 'removed';
  /** Its cluster knows its name, and it answers clients. */
  readonly serves: boolean;
  readonly leads: boolean;
  /** How many members of its cluster can vote, whether they run or not. */
  readonly voters: number;
}

/** Reads the simulation directly, without a call to a port of etcd. */
export function etcdView(cloud: Pick<Cloud, 'etcd' | 'lambda'>): EtcdSightView {
  const running = cloud.etcd.world.running();
  return {
    ...publishedIn(cloud),
    members: running.map(memberView),
    listed: running.flatMap(({ members }) => members.flatMap(instanceIdOf)),
  };
}

/** The members in DNS. */
export function publishedIn({
  etcd,
  lambda,
}: Pick<Cloud, 'etcd' | 'lambda'>): Pick<EtcdSightView, 'srvName' | 'shown'> {
  const { environment } = lambda.functionOf('etcd-membership');
  const [peers] = srvServices({ domain: environment['DROVER_ETCD_DOMAIN'] ?? '', services: 'ssl' });
  const srvName = peers?.name ?? '';
  return {
    srvName,
    shown: etcd
      .resolve(srvName, 'SRV')
      .map((value) => value.split(' ').at(-1)?.split('.')[0] ?? '')
      .toSorted(),
  };
}

/** Found by the peer URL, because a member that has not started has no name. */
export const instanceIdOf = ({ peerUrls: [url = ''] }: Pick<MemberRecord, 'peerUrls'>): readonly string[] =>
  URL.canParse(url) ? new URL(url).hostname.split('.').slice(0, 1) : [];

function memberView({ clusterId, memberId, members, ...seen }: RunningMember): EtcdMemberView {
  const listed = members.find(({ id }) => id === memberId);
  return {
    ...seen,
    clusterId: BigInt(clusterId).toString(16),
    standing: listed === undefined ? 'removed' : listed.isLearner ? 'learner' : 'voter',
    voters: members.filter(({ isLearner }) => !isLearner).length,
  };
}

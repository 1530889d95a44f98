import type { Cloud } from '@drover/cloud-sandbox';
import type { MemberRecord, RunningMember } from '@drover/cloud-sandbox/etcd';
import { srvServices } from '../../shared/etcd/names.ts';

/** etcd at one moment: what the name servers show, and who runs. */
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
  /** By the list of its cluster, which a member that was removed is no longer in. */
  readonly standing: 'voter' | 'learner' | 'removed';
  /** Its cluster knows it by name, and clients are answered. */
  readonly serves: boolean;
  readonly leads: boolean;
  /** How many members of its cluster can vote, whether they run or not. */
  readonly voters: number;
}

/** Looks past etcd's ports, as nobody's call. */
export function etcdView({ etcd, lambda }: Cloud): EtcdSightView {
  const { environment } = lambda.functionOf('etcd-membership');
  const running = etcd.world.running();
  const [peers] = srvServices({ domain: environment['DROVER_ETCD_DOMAIN'] ?? '', services: 'ssl' });
  const srvName = peers?.name ?? '';
  return {
    srvName,
    shown: etcd
      .resolve(srvName, 'SRV')
      .map((value) => value.split(' ').at(-1)?.split('.')[0] ?? '')
      .toSorted(),
    members: running.map(memberView),
    listed: running.flatMap(({ members }) => members.flatMap(instanceIdOf)),
  };
}

/** By its peer URL: one that has not started has no name. */
const instanceIdOf = ({ peerUrls: [url = ''] }: MemberRecord): readonly string[] =>
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

import type { Cloud } from '@drover/cloud-sandbox';
import {
  type EndpointStatus,
  type EtcdEndpoint,
  EtcdError,
  type EtcdMember,
} from '../../../shared/etcd/cluster.ts';
import { createEtcdCluster } from '../../../shared/etcd-api/etcd-cluster.ts';
import type { EtcdCredentials } from '../../../shared/etcd-api/http.ts';
import { type EtcdMemberView, type EtcdSightView, instanceIdOf, publishedIn } from '../../story/etcd-view.ts';
import { etcdZone } from '../../wire/etcd-zone.ts';

/** The view of a world whose instances run no etcd. */
export const withoutEtcd: EtcdSightView = { srvName: '', shown: [], members: [], listed: [] };

/** Asks each instance of the account whether a member of etcd answers on it, and one of them for the list of members. */
export async function readEtcd(cloud: Cloud, credentials: EtcdCredentials): Promise<EtcdSightView> {
  const etcd = createEtcdCluster({
    send: cloud.etcd.send,
    credentials: () => Promise.resolve(credentials),
  });
  const machines = machinesOf(cloud);
  const statuses = await Promise.all(
    machines.map(async (machine) => ({ ...machine, status: await etcd.status(machine.endpoint) })),
  );
  const answering = statuses.filter(({ status }) => status.kind === 'answers');
  const listed = await etcd.members(answering.map(({ endpoint }) => endpoint)).then(
    ({ members }) => members,
    // Before there is a quorum no member has a list.
    (error: unknown) => {
      if (error instanceof EtcdError) return [];
      throw error;
    },
  );
  return {
    ...publishedIn(cloud),
    members: answering.flatMap(({ instanceId, status }) => memberView(instanceId, status, listed)),
    listed: listed.flatMap(instanceIdOf),
  };
}

interface Machine {
  readonly instanceId: string;
  readonly endpoint: EtcdEndpoint;
}

/** The instances of the control plane and of groups of etcd. */
function machinesOf({ account }: Cloud): readonly Machine[] {
  const { AutoScalingGroups } = account.autoScaling.operations.DescribeAutoScalingGroups({
    Filters: [{ Name: 'tag:drover.dev/role', Values: ['etcd', 'control-plane'] }],
  });
  return AutoScalingGroups.flatMap(({ Instances = [] }) =>
    Instances.flatMap(({ InstanceId = '' }) => {
      const address = account.ec2.instances.find(InstanceId)?.privateIpAddress;
      return address === undefined
        ? []
        : {
            instanceId: InstanceId,
            endpoint: { url: `https://${address}:2379`, serverName: etcdZone.domain },
          };
    }),
  );
}

function memberView(
  instanceId: string,
  status: EndpointStatus,
  listed: readonly EtcdMember[],
): readonly EtcdMemberView[] {
  if (status.kind === 'silent') return [];
  const own = listed.find(({ id }) => id === status.memberId);
  return [
    {
      instanceId,
      clusterId: status.clusterId,
      standing: own === undefined ? 'removed' : own.isLearner ? 'learner' : 'voter',
      serves: status.healthy,
      leads: status.leads === true,
      voters: listed.filter(({ isLearner }) => !isLearner).length,
    },
  ];
}

import type { EtcdUserData } from '@drover/cloud-sandbox';
import { readMemberState } from '../../shared/etcd/member-state.ts';
import { roleOf } from './role.ts';

/** What `drover user-data etcd` does on an instance of these roles: etcd starts as Drover says in the instance's parameter. */
export const userDataOfEtcd = (
  clusterName: string,
  roles: readonly ('etcd' | 'control-plane')[] = ['etcd'],
): EtcdUserData => ({
  runsOn: (instance) =>
    instance.tags.has(`kubernetes.io/cluster/${clusterName}`) &&
    roles.some((role) => role === roleOf(instance)),
  flags: ({ instanceId }, { ssm }) => {
    const text = ssm.controls.value(`/drover/${clusterName}/etcd/members/${instanceId}`);
    if (text === undefined) return undefined;
    const { state, name, peerUrl, clientUrl, discoverySrv, discoverySrvName, initialClusterToken } =
      readMemberState(text);
    return {
      name,
      initialClusterState: state,
      peerUrl,
      clientUrl,
      discoverySrv,
      ...(discoverySrvName && { discoverySrvName }),
      ...(initialClusterToken && { initialClusterToken }),
    };
  },
});

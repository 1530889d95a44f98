import type { EtcdMemberView, EtcdSightView } from '../../../local/story/etcd-view.ts';
import type { InstanceView, NodeView, PodView, View } from '../../../local/story/view.ts';

export const instance = (instanceId: string, parts: Partial<InstanceView> = {}): InstanceView => ({
  instanceId,
  groupName: 'workers',
  lifecycleState: 'InService',
  availabilityZone: 'eu-west-1a',
  ...parts,
});

export const node = (name: string, instanceId: string, parts: Partial<NodeView> = {}): NodeView => ({
  name: `${name}.eu-west-1.compute.internal`,
  instanceId,
  ready: true,
  cordoned: false,
  ...parts,
});

export const pod = (name: string, nodeName: string | undefined, parts: Partial<PodView> = {}): PodView => ({
  uid: name,
  namespace: 'default',
  name,
  ...(nodeName !== undefined && { nodeName: `${nodeName}.eu-west-1.compute.internal` }),
  phase: 'Running',
  ready: true,
  terminating: false,
  daemon: false,
  ...parts,
});

export const noEtcd: EtcdSightView = {
  srvName: '_etcd-server-ssl._tcp.etcd.test',
  shown: [],
  members: [],
  listed: [],
};

export const etcdMember = (instanceId: string, parts: Partial<EtcdMemberView> = {}): EtcdMemberView => ({
  instanceId,
  clusterId: '9a3f',
  standing: 'voter',
  serves: true,
  leads: false,
  voters: 3,
  ...parts,
});

/** Two instances with their nodes, one pod on the first and two on the second, and a budget. */
export const calmView: View = {
  at: 1_000_000,
  groups: [{ name: 'workers', minSize: 0, desiredCapacity: 2, maxSize: 10 }],
  instances: [instance('i-1'), instance('i-2')],
  nodes: [node('ip-1', 'i-1'), node('ip-2', 'i-2')],
  requests: [],
  pods: [pod('a', 'ip-1'), pod('b', 'ip-2'), pod('c', 'ip-2')],
  budgets: [{ namespace: 'default', name: 'web', healthy: 3, desired: 2, disruptionsAllowed: 1 }],
  etcd: noEtcd,
};

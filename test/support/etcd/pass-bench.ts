import {
  type EndpointStatus,
  type EtcdCluster,
  EtcdError,
  type EtcdMember,
} from '../../../shared/etcd/cluster.ts';
import type { EtcdPassContext } from '../../../shared/etcd/context.ts';
import type { StartState } from '../../../shared/etcd/decision.ts';
import { createEtcdMemory } from '../../../shared/etcd/memory.ts';
import type { DnsRecord } from '../../../shared/etcd/zone.ts';
import type { Ec2Instance } from '../../../shared/groups/ec2.ts';
import type { AutoScalingGroup, LifecycleHook } from '../../../shared/groups/group.ts';
import { zoneOf } from './arbitraries.ts';
import { clusterId, id, settings, silent, withMemberId } from './observations.ts';

export const etcdHook: LifecycleHook = {
  lifecycleHookName: 'drover-etcd',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 300,
  globalTimeoutSeconds: 30_000,
  defaultResult: 'CONTINUE',
};
export const etcdLaunchHook: LifecycleHook = {
  ...etcdHook,
  lifecycleHookName: 'drover-etcd-launch',
  transition: 'launching',
};

/** A group with the role `etcd`, and an instance of each number in its state. */
export const groupOf = (
  lifecycleStates: Readonly<Record<number, string>>,
  changes: Partial<AutoScalingGroup> = {},
): AutoScalingGroup => ({
  autoScalingGroupName: 'etcd',
  tags: { 'kubernetes.io/cluster/prod': 'owned', 'drover.dev/role': 'etcd' },
  minSize: 0,
  maxSize: 9,
  desiredCapacity: Object.keys(lifecycleStates).length,
  instances: Object.entries(lifecycleStates).map(([number, lifecycleState]) => ({
    instanceId: id(Number(number)),
    lifecycleState,
    availabilityZone: 'eu-west-1a',
    healthy: true,
  })),
  targetGroupArns: [],
  retainsAbandoned: false,
  ...changes,
});

export const machine = (number: number, changes: Partial<Ec2Instance> = {}): Ec2Instance => ({
  instanceId: id(number),
  state: 'running',
  privateIpAddress: `10.0.0.${number}`,
  tags: { 'aws:autoscaling:groupName': 'etcd' },
  ...changes,
});

export interface Furniture {
  readonly groups?: readonly AutoScalingGroup[];
  /** By group; absent: both of our hooks on every group. */
  readonly hooks?: Readonly<Record<string, readonly LifecycleHook[]>>;
  readonly machines?: readonly Ec2Instance[];
  readonly records?: readonly DnsRecord[];
  /** `unreached`: Drover cannot reach etcd. */
  readonly etcd?: 'unreached';
  readonly members?: readonly EtcdMember[];
  /** By number; absent: silent. */
  readonly statuses?: Readonly<Record<number, EndpointStatus>>;
  /** What the parameters say, by number; absent: `existing` for each instance in service. */
  readonly states?: Readonly<Record<number, StartState['state']>>;
  /** Whether Auto Scaling reports every hook action as not active. */
  readonly areWaitsOver?: boolean;
}

/** A context for one pass, with groups, machines, a zone and an etcd that record what is done to them. */
export function createPassBench(furniture: Furniture = {}, changes: Partial<EtcdPassContext> = {}) {
  const { groups = [], machines = [], records = [], statuses = {}, hooks } = furniture;
  const clock = { now: () => 10_000_000 };
  const memory = createEtcdMemory(clock);
  const done: string[] = [];
  const endpoints: string[] = [];
  const failures: { list?: Error; change?: Error } = {};
  const members = new Map((furniture.members ?? []).map((one) => [one.id, one]));
  const change = async (what: string, asked: Parameters<EtcdCluster['remove']>[0]): Promise<void> => {
    if (failures.change) throw failures.change;
    endpoints.push(...asked.map(({ url }) => url));
    done.push(what);
  };
  const add =
    (kind: 'learner' | 'voter'): EtcdCluster['addLearner'] =>
    async (asked, peerUrls) => {
      await change(`add ${kind} ${peerUrls.join()}`, asked);
      const added = { id: '99', name: '', clientUrls: [], peerUrls, isLearner: kind === 'learner' };
      members.set(added.id, added);
      return added;
    };
  const cluster: EtcdCluster = {
    status: async ({ serverName }) => {
      const [instanceId = ''] = serverName.split('.');
      return withMemberId(statuses[Number(instanceId.slice(2))] ?? silent, instanceId);
    },
    members: async () => {
      if (failures.list) throw failures.list;
      return { clusterId, members: [...members.values()] };
    },
    addLearner: add('learner'),
    addVoter: add('voter'),
    promote: (asked, memberId) => change(`promote ${memberId}`, asked),
    remove: async (asked, memberId) => {
      await change(`remove ${memberId}`, asked);
      if (!members.delete(memberId)) throw new EtcdError('not-found', 'no such member');
    },
  };
  const inService = groups.flatMap(({ instances }) =>
    instances.filter(({ lifecycleState }) => lifecycleState === 'InService'),
  );
  const states = new Map<string, string>(
    furniture.states
      ? Object.entries(furniture.states).map(([number, state]) => [id(Number(number)), state])
      : inService.map(({ instanceId }) => [instanceId, 'existing']),
  );
  const answer = <Active extends string>(what: string, active: Active): Active | 'not-active' => {
    done.push(what);
    return furniture.areWaitsOver ? 'not-active' : active;
  };
  const context: EtcdPassContext = {
    ensureHeartbeats: async ({ action: { instanceId } }) => {
      const request = `heartbeat ${instanceId}`;
      if (!done.includes(request)) done.push(request);
    },
    autoScaling: {
      listGroups: async () => groups,
      describeHooks: async (name) => (hooks ? (hooks[name] ?? []) : [etcdHook, etcdLaunchHook]),
      complete: async ({ instanceId }, result) => answer(`${result} ${instanceId}`, 'completed'),
    },
    ec2: { describeInstance: async (wanted) => machines.find(({ instanceId }) => instanceId === wanted) },
    zone: {
      read: async () => zoneOf(records),
      change: async (batch) => {
        done.push(`change ${batch.length} records`);
        return 'C1';
      },
      isInSync: async () => false,
    },
    ...(furniture.etcd !== 'unreached' && { cluster }),
    states: {
      publish: async ({ instanceId, state, token }) => {
        if (states.get(instanceId) === state) return;
        states.set(instanceId, state);
        done.push(['publish', instanceId, state, ...(token ? [token] : [])].join(' '));
      },
      forget: async (instanceId) => void done.push(`forget ${instanceId}`),
    },
    setStatusTag: async (name, value) => void done.push(`tag ${name} ${value}`),
    clock,
    memory,
    onProblem: (what) => void done.push(`problem: ${what}`),
    settings: furniture.etcd === 'unreached' ? { ...settings, mode: 'dns-only' } : settings,
    etcdHookName: etcdHook.lifecycleHookName,
    etcdLaunchHookName: etcdLaunchHook.lifecycleHookName,
    ...changes,
  };
  return { context, memory, done, endpoints, failures };
}

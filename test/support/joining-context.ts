import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Ec2Instance } from '../../shared/groups/ec2.ts';
import type { AutoScalingGroup, LifecycleHook } from '../../shared/groups/group.ts';
import type { JoiningContext } from '../../shared/joining/context.ts';
import type { JoiningNotice } from '../../shared/joining/message.ts';
import { notifyNothing } from '../../shared/notifications/notification.ts';
import { groupOf } from './waiting-group.ts';

export const joiningId = 'i-0a1b2c3d4e5f60718';
export const launchedAt = Date.parse('2026-11-21T07:00:00Z');
export const privateDnsName = 'ip-10-0-1-17.eu-west-1.compute.internal';

export const joiningHook: LifecycleHook = {
  lifecycleHookName: 'drover-node-joining',
  transition: 'launching',
  heartbeatTimeoutSeconds: 300,
  globalTimeoutSeconds: 30_000,
  defaultResult: 'CONTINUE',
};

export const launchingNotice: JoiningNotice = {
  cause: 'launching',
  instanceId: joiningId,
  noticedAt: new Date(launchedAt).toISOString(),
  hook: {
    autoScalingGroupName: 'workers',
    lifecycleHookName: 'drover-node-joining',
    lifecycleActionToken: 'token',
  },
  hasHeartbeats: true,
};

export const sweptNotice: JoiningNotice = {
  ...launchingNotice,
  cause: 'swept',
  hook: { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-joining' },
};

/** The Node of the joining instance, Ready five seconds after the launch. */
export function joinedNode({
  name = privateDnsName,
  instanceId = joiningId,
  ready = 'True',
  at = launchedAt + 5000,
}: {
  name?: string;
  instanceId?: string;
  ready?: string;
  at?: number;
} = {}): Node {
  const time = new Date(at).toISOString();
  return {
    metadata: { name, uid: `uid-${instanceId}`, creationTimestamp: time },
    spec: { providerID: `aws:///eu-west-1a/${instanceId}` },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: ready,
          message: 'container runtime network not ready',
          lastHeartbeatTime: time,
          lastTransitionTime: time,
        },
      ],
    },
  };
}

/** Auto Scaling, EC2 and a cluster with one launching instance of `workers`; records what a pass does. */
export function createJoiningWorld(state = 'Pending:Wait') {
  let now = launchedAt;
  const calls: string[] = [];
  const nodes = new Map<string, Node>();
  const pods: Pod[] = [];
  const group = (tags: Readonly<Record<string, string>> = {}): AutoScalingGroup => ({
    ...groupOf({ [joiningId]: state }),
    tags: { 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': 'worker', ...tags },
  });
  const ec2: Ec2Instance = {
    instanceId: joiningId,
    state: 'running',
    privateDnsName,
    launchedAt,
    tags: {},
  };
  const context: JoiningContext = {
    clock: { now: () => now },
    ensureHeartbeats: async ({ action }) => void calls.push(`heartbeats for ${action.lifecycleHookName}`),
    reportError: (message) => void calls.push(message),
    requests: undefined,
    readConsole: async () => ({ userData: 'finished', lastLines: ['login:'] }),
    countAbandonedLaunches: async () => 0,
    reportWhy: ({ steps }) => void calls.push(`why: ${steps.join('; ')}`),
    reportedWhyAt: new Map(),
    notify: notifyNothing,
    ec2: { describeInstance: async () => ec2 },
    cluster: {
      getNode: async (name) => nodes.get(name),
      listNodes: async () => [...nodes.values()],
      listPodsOnNode: async () => [...pods],
      deleteNode: async ({ name, uid }) => {
        calls.push(`DELETE ${name} ${uid}`);
        nodes.delete(name);
        return 'deleted';
      },
      patchNode: async (name, patch) => {
        calls.push(`PATCH ${name} ${JSON.stringify(patch)}`);
        return nodes.get(name) ?? {};
      },
    },
    autoScaling: {
      describeInstance: async (instanceId) => ({
        instanceId,
        autoScalingGroupName: 'workers',
        lifecycleState: state,
        availabilityZone: 'eu-west-1a',
        healthy: true,
      }),
      describeGroup: async () => group(),
      listGroups: async () => [group()],
      describeHooks: async () => [joiningHook],
      recordHeartbeat: () => Promise.reject(new Error('a join sends no heartbeats')),
      complete: async ({ lifecycleActionToken }, result) => {
        calls.push(`${result} ${lifecycleActionToken}`);
        return 'completed';
      },
      terminate: () => Promise.reject(new Error('a join terminates nothing')),
      giveBack: () => Promise.reject(new Error('a join terminates nothing')),
    },
    settings: {
      clusterName: 'drover',
      joiningHookName: 'drover-node-joining',
      defaults: { joinTimeoutSeconds: 720, onJoinFailure: 'hold' },
    },
  };
  return {
    context,
    calls,
    group,
    pods,
    addNode: (node: Node) => void nodes.set(node.metadata?.name ?? '', node),
    elapse: (seconds: number) => void (now += seconds * 1000),
  };
}

import type { RollView } from '../../ui/state/rolls.ts';
import type {
  CapacityView,
  DashboardState,
  GroupView,
  InstanceView,
  NodeView,
  PodView,
} from '../../ui/state/types.ts';

/** 2026-01-05T08:00:00Z */
export const now = Date.UTC(2026, 0, 5, 8);

export const pod = (parts: Partial<PodView> = {}): PodView => ({
  uid: 'uid-1',
  name: 'shop/web-1',
  state: 'running',
  daemon: false,
  ...parts,
});

export const node = (parts: Partial<NodeView> = {}): NodeView => ({
  name: 'ip-10-0-0-4.eu-west-1.compute.internal',
  ready: true,
  cordoned: false,
  pods: [pod()],
  ...parts,
});

export const instance = (parts: Partial<InstanceView> = {}): InstanceView => ({
  instanceId: 'i-0123456789abcdef0',
  availabilityZone: 'eu-west-1a',
  instanceType: 'm5.large',
  market: 'on-demand',
  lifecycleState: 'InService',
  healthy: true,
  ec2State: 'running',
  waits: [],
  node: node(),
  ...parts,
});

/** A node that drains before its deadline and waits for one pod. */
export const leavingInstance = (parts: Partial<InstanceView> = {}): InstanceView =>
  instance({
    instanceId: 'i-0fedcba9876543210',
    market: 'spot',
    lifecycleState: 'Terminating:Wait',
    waits: [
      { lifecycleHookName: 'drover-node-leaving', heartbeatTimeoutSeconds: 300, expiresAt: now + 61_000 },
    ],
    node: node({
      name: 'ip-10-0-0-5.eu-west-1.compute.internal',
      cordoned: true,
      leaving: {
        cause: 'terminating',
        since: now - 30_000,
        until: now + 600_000,
        waitingFor: ['shop/web-2 (budget web)'],
        andMore: 3,
      },
      pods: [
        pod({ uid: 'uid-2', name: 'shop/web-2', state: 'terminating' }),
        pod({ uid: 'uid-3', name: 'kube-system/agent-1', daemon: true }),
      ],
    }),
    ...parts,
  });

export const group = (parts: Partial<GroupView> = {}): GroupView => ({
  autoScalingGroupName: 'workers',
  role: 'worker',
  minSize: 0,
  maxSize: 10,
  desiredCapacity: 2,
  inService: 1,
  capacity: capacity(),
  instances: [instance(), leavingInstance()],
  ...parts,
});

/** A hold, one that a schedule will make, and a paused schedule. */
export const capacity = (parts: Partial<CapacityView> = {}): CapacityView => ({
  base: 1,
  floor: 4,
  ready: 1,
  holds: [
    {
      name: 'launch-day',
      nodes: 4,
      from: now - 120_000,
      until: now + 900_000,
      by: 'anna',
      state: 'waiting',
      reason: '1 of 4 nodes are Ready; the last launch failed: no m5.large in eu-west-1a',
    },
  ],
  schedules: [
    {
      name: 'office-hours',
      nodes: 6,
      expression: 'cron(30 8 ? * MON-FRI *)',
      timeZone: 'UTC',
      paused: false,
      leadSeconds: 300,
      measured: true,
      occurrences: [
        {
          kind: 'hold',
          localTime: '2026-01-05T08:30:00',
          madeAt: now + 1_500_000,
          readyAt: now + 1_800_000,
          until: now + 5_400_000,
        },
        { kind: 'exception', localTime: '2026-01-06T08:30:00' },
      ],
    },
    {
      name: 'nightly',
      nodes: 2,
      expression: 'cron(0 9 * * ? *)',
      timeZone: 'UTC',
      paused: true,
      leadSeconds: 180,
      measured: false,
      occurrences: [
        {
          kind: 'hold',
          localTime: '2026-01-05T09:00:00',
          madeAt: now + 3_420_000,
          readyAt: now + 3_600_000,
          until: now + 4_200_000,
        },
      ],
    },
  ],
  problems: [],
  ...parts,
});

/** A roll that waits for a pod on an old node. */
export const roll = (parts: Partial<RollView> = {}): RollView => ({
  name: 'workers',
  state: 'running',
  reason: '1 of workers is being replaced or missing, 7 old to go',
  since: now - 1_200_000,
  asked: {
    startedAt: now - 1_200_000,
    by: 'anna',
    canary: 1,
    bakeSeconds: 300,
    stopOn: ['web-errors'],
    window: 'Mon-Fri 09:00-16:00 Europe/Berlin',
  },
  groups: [{ autoScalingGroupName: 'workers', progress: { old: 7, fresh: 4, leaving: 1, leftOut: 2 } }],
  moving: [
    {
      name: 'ip-10-0-0-5.eu-west-1.compute.internal',
      autoScalingGroupName: 'workers',
      state: 'leaving',
      why: 'it waits for shop/web-2 (budget web)',
    },
  ],
  ...parts,
});

/** A page on which there is something of everything. */
export const state = (parts: Partial<DashboardState> = {}): DashboardState => ({
  now,
  source: 'sandbox',
  clusterName: 'drover',
  problems: [],
  unknown: [],
  region: 'eu-west-1',
  accountId: '123456789012',
  groups: [group()],
  rolls: [roll()],
  otherNodes: [node({ name: 'stranger', ready: false, pods: [] })],
  waitingPods: [pod({ uid: 'uid-9', name: 'shop/web-9', state: 'pending' })],
  budgets: [{ name: 'shop/web', allowed: 0, healthy: 1, desired: 1, expected: 1, enoughReplicas: 2 }],
  scheduleProblems: [],
  requests: [
    {
      name: 'csr-stranger',
      nodeName: 'ip-10-0-0-4.eu-west-1.compute.internal',
      kind: 'client',
      requester: 'system:bootstrap:abcdef',
      at: now - 90_000,
      state: 'denied',
      reason: 'Drover: a node of this name runs',
    },
  ],
  etcd: {
    members: [
      { instanceId: 'i-0eeeeeeeeeeeeeee1', standing: 'voter', serves: true, leads: true },
      { instanceId: 'i-0eeeeeeeeeeeeeee2', standing: 'voter', serves: true, leads: false },
      { instanceId: 'i-0eeeeeeeeeeeeeee3', standing: 'learner', serves: true, leads: false },
    ],
    voters: 2,
    servingVoters: 2,
    quorum: 2,
    snapshotAt: now - 600_000,
  },
  credentials: [{ parameterName: '/drover/drover/bootstrap', publishedAt: now - 3_600_000 }],
  queues: [
    { queueName: 'LeavingQueue.fifo', deadLetters: false, visible: 0, inFlight: 1, delayed: 0 },
    { queueName: 'LeavingDeadLetterQueue.fifo', deadLetters: true, visible: 1, inFlight: 0, delayed: 0 },
  ],
  passes: [
    {
      number: 1,
      at: now - 5_000,
      work: 'leaving',
      subject: 'i-0fedcba9876543210',
      outcome: 'again',
      reason: 'waits for 4 pods',
      afterSeconds: 20,
      seconds: 0.31,
    },
  ],
  news: [{ at: now - 9_000, speaker: 'drover', text: 'evicts shop/web-2' }],
  ...parts,
});

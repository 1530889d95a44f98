import type {
  DashboardState,
  GroupView,
  InstanceView,
  NodeView,
  PodView,
} from '../../local/dashboard/state/state.ts';

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
  instances: [instance(), leavingInstance()],
  ...parts,
});

/** A page on which there is something of everything. */
export const state = (parts: Partial<DashboardState> = {}): DashboardState => ({
  now,
  region: 'eu-west-1',
  accountId: '123456789012',
  groups: [group()],
  otherNodes: [node({ name: 'stranger', ready: false, pods: [] })],
  waitingPods: [pod({ uid: 'uid-9', name: 'shop/web-9', state: 'pending' })],
  queues: [
    { queueName: 'LeavingQueue.fifo', deadLetters: false, visible: 0, inFlight: 1, delayed: 0 },
    { queueName: 'LeavingDeadLetterQueue.fifo', deadLetters: true, visible: 1, inFlight: 0, delayed: 0 },
  ],
  alarms: [{ name: 'dead-letters', description: 'A message was given up.', since: now - 60_000 }],
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

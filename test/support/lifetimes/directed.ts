import type { PlannedGroup } from './plan/groups.ts';
import type { Deed, Step } from './plan/history.ts';
import type { LifetimePlan } from './plan/plan.ts';
import type { PlannedWorkload } from './plan/workloads.ts';

/** A lifetime that is written by hand: the situation that one fix is for, and nothing else. */
export interface DirectedLifetime {
  readonly name: string;
  readonly plan: LifetimePlan;
}

const group: PlannedGroup = {
  autoScalingGroupName: 'workers-0',
  size: 2,
  spot: false,
  heartbeatTimeoutSeconds: 300,
  etcdHook: false,
  tags: { 'drover.dev/drain-timeout': '60' },
  retainsAbandoned: false,
  managed: true,
  joins: true,
  nodeNames: 'private-dns',
};
const { heartbeatTimeoutSeconds: _, ...withoutHook } = group;
const drainingFor = (seconds: number): PlannedGroup => ({
  ...group,
  tags: { 'drover.dev/drain-timeout': String(seconds) },
});
const joining: PlannedGroup = {
  ...group,
  launchHook: { heartbeatTimeoutSeconds: 120, readyDelaySeconds: 1 },
};

const workload: PlannedWorkload = {
  kind: 'Deployment',
  name: 'app',
  replicas: 3,
  graceSeconds: 5,
  startSeconds: 0,
  budgets: [],
  critical: false,
  emptyDir: false,
  finalizer: false,
  claims: false,
  mirror: false,
};
const heldByItsBudget: PlannedWorkload = { ...workload, budgets: [{ maxUnavailable: 0 }] };

const step = (at: number, deed: Deed, which = 0): Step => ({
  at,
  autoScalingGroupName: group.autoScalingGroupName,
  which,
  ...deed,
});
const terminated = step(10, { kind: 'terminate', replace: true });
const cancelled = step(10, { kind: 'cancelled-change', count: 1, afterSeconds: 42 });

const planOf = (parts: Partial<LifetimePlan>): LifetimePlan => ({
  seed: 1,
  groups: [group],
  workloads: [workload],
  seconds: 600,
  history: [terminated],
  spells: [],
  conditions: { clockOffsetSeconds: {}, hookChangesReachWaits: false },
  duplicateChance: 0,
  ...parts,
});

/** Eight workloads of one pod each, all on one node, and a webhook that answers only for the last of them: five calls are sent at once. */
const hanging = planOf({
  groups: [{ ...drainingFor(600), size: 1 }],
  workloads: Array.from({ length: 8 }, (_, index) => ({
    ...workload,
    name: `app-${String(index + 10)}`,
    replicas: 1,
  })),
  spells: [
    {
      from: 0,
      to: 600,
      kind: 'objects-refused',
      verb: 'create pods/eviction',
      share: 1,
      answer: 'hang',
      except: 'app-17',
    },
  ],
});

/** Each holds, and each has a fix without which it does not: `test/heavy/planted/reverted-fixes.ts`. */
export const directedLifetimes: readonly DirectedLifetime[] = [
  {
    name: 'pods that tolerate everything return to the cordoned node',
    plan: planOf({
      groups: [drainingFor(300)],
      workloads: [{ ...workload, replicas: 6, toleratesAll: true }],
    }),
  },
  {
    name: 'a volume stays attached to an empty node',
    plan: planOf({
      seconds: 900,
      groups: [drainingFor(1800)],
      history: [step(5, { kind: 'volume-stays' }), terminated],
    }),
  },
  { name: 'a webhook does not answer for most of the pods of a node', plan: hanging },
  {
    name: 'a marked Node is uncordoned by hand',
    plan: planOf({
      groups: [drainingFor(300)],
      workloads: [heldByItsBudget],
      history: [terminated, step(60, { kind: 'uncordon' })],
    }),
  },
  {
    name: 'a new instance takes over the Node of a dead one while the group is paused',
    plan: planOf({
      groups: [{ ...withoutHook, nodeNames: 'used-again' }],
      history: [step(5, { kind: 'pause' }), step(80, { kind: 'kill' }), step(450, { kind: 'resume' })],
    }),
  },
  {
    name: 'a change is cancelled in the middle of a drain',
    plan: planOf({
      groups: [drainingFor(600)],
      workloads: [heldByItsBudget],
      history: [cancelled],
    }),
  },
  {
    name: 'a change is cancelled, and the mark names another instance',
    plan: planOf({
      workloads: [heldByItsBudget],
      history: [cancelled, step(50, { kind: 'edit-mark', how: 'other-instance' })],
    }),
  },
  {
    name: 'a mark is edited to begin in a year',
    plan: planOf({
      workloads: [heldByItsBudget],
      history: [terminated, step(40, { kind: 'edit-mark', how: 'begins-later' })],
    }),
  },
  {
    name: 'a budget holds pods until the deadline',
    plan: planOf({ workloads: [heldByItsBudget] }),
  },
  {
    name: 'instances are launched while another VPC has their names',
    plan: planOf({
      groups: [joining],
      history: [
        step(10, { kind: 'scale', by: 2 }),
        ...[0.1, 0.3, 0.6, 0.9].map((which) => step(12, { kind: 'namesake', seconds: 900 }, which)),
      ],
    }),
  },
  {
    name: 'an instance is launched under the name of a dead one',
    plan: planOf({
      seconds: 1500,
      groups: [joining],
      conditions: { clockOffsetSeconds: {}, hookChangesReachWaits: false, addressesComeBack: true },
      history: [step(10, { kind: 'kill' }), step(700, { kind: 'terminate', replace: true })],
    }),
  },
  {
    name: 'a group loses its role while an instance drains',
    plan: planOf({
      groups: [{ ...drainingFor(300), heartbeatTimeoutSeconds: 120 }],
      workloads: [heldByItsBudget],
      history: [terminated, step(60, { kind: 'lose-tag', tag: 'role', seconds: 3000 })],
    }),
  },
  {
    name: 'neither Auto Scaling nor EC2 knows the instance of a Node whose kubelet reports',
    plan: planOf({ seconds: 1800, history: [step(10, { kind: 'unknown-machine', seconds: 1700 })] }),
  },
  {
    name: 'the record of the bounds is lost while a hold is active',
    plan: planOf({
      seconds: 2400,
      history: [
        step(5, { kind: 'hold', name: 'sale', nodes: 4, standsSeconds: 1500, raiseMaxSize: false }),
        step(400, { kind: 'lose-record' }),
        step(1800, { kind: 'set-bounds', minSize: 1 }),
      ],
    }),
  },
  {
    name: 'a hold asks for what MinSize is already',
    plan: planOf({
      seconds: 1200,
      history: [
        step(5, { kind: 'set-bounds', minSize: 2 }),
        step(10, { kind: 'hold', name: 'sale', nodes: 2, standsSeconds: 600, raiseMaxSize: false }),
      ],
    }),
  },
  {
    name: 'a group with a launch hook loses tags while instances join',
    plan: planOf({
      seconds: 1500,
      groups: [joining],
      history: [
        step(10, { kind: 'scale', by: 1 }),
        step(12, { kind: 'lose-tag', tag: 'cluster', seconds: 400 }),
        step(700, { kind: 'scale', by: 1 }),
        step(702, { kind: 'lose-tag', tag: 'role', seconds: 120 }),
      ],
    }),
  },
];

import type { PlannedGroup } from './groups.ts';
import type { LifetimePlan } from './plan.ts';
import type { PlannedWorkload } from './workloads.ts';

/** One lifetime in fifty has a wait so long that its message is received 900 times, and replaced by a copy. */
export const isLong = (seed: number): boolean => seed % 50 === 0;

/** A pass is made every twenty seconds. */
const secondsOfTheHistory = 19_800;
const drainTimeoutSeconds = 21_600;

const heldByItsBudget: Omit<PlannedWorkload, 'replicas'> = {
  kind: 'Deployment',
  name: 'held',
  graceSeconds: 5,
  startSeconds: 0,
  budgets: [{ maxUnavailable: 0 }],
  critical: false,
  emptyDir: false,
  finalizer: false,
  claims: false,
  mirror: false,
};

/** Without a launch hook its nodes are Ready before the pods that shall be held are placed. */
const patient = ({ launchHook: _none, ...group }: PlannedGroup): PlannedGroup => ({
  ...group,
  heartbeatTimeoutSeconds: 3600,
  joins: true,
  spot: false,
  tags: { 'drover.dev/drain-timeout': String(drainTimeoutSeconds) },
});

/** The same lifetime, in which an instance of the first group waits for hours, as the budget of a Deployment allows nothing. */
export function lengthened(plan: LifetimePlan): LifetimePlan {
  const first = { which: 0, autoScalingGroupName: plan.groups[0]?.autoScalingGroupName ?? '' };
  const others = plan.history.filter(({ kind }) => !endsWaits.includes(kind));
  return {
    ...plan,
    seconds: secondsOfTheHistory,
    groups: plan.groups.map((group, index) => (index === 0 ? patient(group) : group)),
    workloads: [
      ...plan.workloads,
      { ...heldByItsBudget, replicas: 2 * plan.groups.reduce((sum, { size }) => sum + size, 0) },
    ],
    history: [
      { kind: 'terminate', replace: true, at: 0, ...first },
      ...others,
      // So that what has begun to leave meanwhile ends soon as well.
      { kind: 'retag', key: 'drover.dev/drain-timeout', value: '30', at: secondsOfTheHistory - 60, ...first },
    ],
  };
}

/** With these the wait might end early. */
const endsWaits: readonly string[] = [
  'kill',
  'remove-hook',
  'change-hook',
  'retag',
  'health-event',
  'scale',
  'autoscale',
  'set-bounds',
  'launches-fail',
];

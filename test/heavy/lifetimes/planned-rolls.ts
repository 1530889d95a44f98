import type { PlannedGroup } from '../../support/lifetimes/plan/groups.ts';
import type { Deed, Step } from '../../support/lifetimes/plan/history.ts';
import type { LifetimePlan } from '../../support/lifetimes/plan/plan.ts';

type Roll = Extract<Step, { readonly kind: 'roll' }>;

const workers: PlannedGroup = {
  autoScalingGroupName: 'workers-0',
  size: 5,
  spot: false,
  heartbeatTimeoutSeconds: 300,
  etcdHook: false,
  tags: { 'drover.dev/drain-timeout': '60' },
  retainsAbandoned: false,
  managed: true,
  joins: true,
  nodeNames: 'private-dns',
};
const masters: PlannedGroup = {
  ...workers,
  autoScalingGroupName: 'masters-0',
  role: 'control-plane',
  size: 3,
};

/** A roll of one group in an account without faults, and what happens to the group at some second of it. */
function planOf(
  roll: Partial<Omit<Roll, 'bounds'>> & { readonly bounds?: Partial<Roll['bounds']> },
  {
    group = workers,
    meanwhile = {},
  }: { readonly group?: PlannedGroup; readonly meanwhile?: Readonly<Record<number, Deed>> } = {},
): LifetimePlan {
  const { autoScalingGroupName } = group;
  const bounds = {
    surge: 1,
    maxUnavailable: 0,
    canary: 0,
    bakeSeconds: 0,
    skipBlocked: false,
    ...roll.bounds,
  };
  return {
    seed: 1,
    groups: [group],
    workloads: [
      {
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
      },
    ],
    seconds: 1500,
    history: [
      {
        kind: 'roll',
        at: 10,
        which: 0,
        autoScalingGroupName,
        name: 'roll-1',
        groupNames: [autoScalingGroupName],
        criterion: 'changed',
        ...roll,
        bounds,
      },
      ...Object.entries(meanwhile).map(([at, deed]) => ({
        at: Number(at),
        which: 0,
        autoScalingGroupName,
        ...deed,
      })),
    ],
    spells: [],
    conditions: { clockOffsetSeconds: {}, hookChangesReachWaits: false },
    duplicateChance: 0,
  };
}

/** Lifetimes that are written by hand, each for the bugs that show in it. Nothing that is drawn elsewhere changes them. */
export const plannedRolls = {
  simple: planOf({}),
  ofAll: planOf({ criterion: 'all' }),
  twoAtOnce: planOf({ bounds: { surge: 2 } }),
  withCanary: planOf({ bounds: { surge: 2, canary: 1, bakeSeconds: 60 } }),
  ofControlPlane: planOf({ bounds: { surge: 2 } }, { group: masters }),
  withWindow: planOf({ window: { opensAfter: 0, opensFor: 2, closesFor: 6 } }),
  withAlarm: planOf({ hasAlarm: true }, { meanwhile: { 60: { kind: 'raise-alarm', seconds: 600 } } }),
  pausedByPeople: planOf({}, { meanwhile: { 90: { kind: 'change-roll', name: 'roll-1', asked: 'pause' } } }),
  aborted: planOf({}, { meanwhile: { 90: { kind: 'change-roll', name: 'roll-1', asked: 'abort' } } }),
  besideRefresh: planOf(
    { bounds: { surge: 3 } },
    { group: { ...workers, size: 10 }, meanwhile: { 20: { kind: 'refresh' } } },
  ),
  withNewVersion: planOf({}, { meanwhile: { 150: { kind: 'new-version' } } }),
  /** The canary bakes for longer than passes may believe an old list of hooks. */
  withoutHook: planOf(
    { bounds: { canary: 1, bakeSeconds: 240 } },
    { meanwhile: { 100: { kind: 'remove-hook' } } },
  ),
} satisfies Readonly<Record<string, LifetimePlan>>;

import type { Dice } from './dice.ts';

/** What runs in the cluster of a lifetime. */
export interface PlannedWorkload {
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Pod';
  readonly name: string;
  readonly replicas: number;
  readonly graceSeconds: number;
  /** From SIGTERM until the pod has stopped. Defaults to its whole grace period. */
  readonly stopSeconds?: number;
  readonly startSeconds: number;
  /** None, one or two over the same pods. */
  readonly budgets: readonly { readonly maxUnavailable: number | string }[];
  readonly critical: boolean;
  readonly emptyDir: boolean;
  readonly finalizer: boolean;
  readonly claims: boolean;
  readonly mirror: boolean;
  /** Its pods tolerate every taint, so that they return to a cordoned node. */
  readonly toleratesAll?: true;
}

const kinds = [
  'Deployment',
  'Deployment',
  'StatefulSet',
  'StatefulSet',
  'DaemonSet',
  'DaemonSet',
  'Pod',
] as const;

function planBudgets(dice: Dice): PlannedWorkload['budgets'] {
  if (dice.chance(0.55)) return [];
  const budget = () => ({ maxUnavailable: dice.pick([0, 1, 1, 2, '25%']) });
  return dice.chance(0.15) ? [budget(), budget()] : [budget()];
}

function planWorkload(dice: Dice, index: number): PlannedWorkload {
  const kind = index === 0 ? 'Deployment' : dice.pick(kinds);
  const graceSeconds = dice.pick([0, 1, 5, 5, 30, 30, 90, 300, 600]);
  const controlled = kind === 'Deployment' || kind === 'StatefulSet';
  return {
    kind,
    name: `${kind.toLowerCase()}-${index}`,
    replicas: kind === 'Pod' ? 1 : dice.integer(1, 6),
    graceSeconds,
    ...dice.maybe(0.7, () => ({ stopSeconds: dice.integer(0, Math.ceil(graceSeconds * 1.3)) })),
    startSeconds: dice.integer(0, 8),
    budgets: controlled ? planBudgets(dice) : [],
    critical: dice.chance(0.1),
    emptyDir: dice.chance(0.15),
    finalizer: dice.chance(0.05),
    claims: kind === 'StatefulSet' && dice.chance(0.4),
    mirror: kind === 'Pod' && dice.chance(0.3),
  };
}

export const planWorkloads = (dice: Dice): readonly PlannedWorkload[] =>
  Array.from({ length: dice.integer(1, 5) }, (_, index) => planWorkload(dice, index));

/** In two fifths of all lifetimes the pods of a Deployment or StatefulSet tolerate every taint. */
export function withTolerations(
  dice: Dice,
  workloads: readonly PlannedWorkload[],
): readonly PlannedWorkload[] {
  const movable = workloads.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  if (movable.length === 0 || dice.chance(0.6)) return workloads;
  const { name } = dice.pick(movable);
  return workloads.map((workload) =>
    workload.name === name ? { ...workload, toleratesAll: true } : workload,
  );
}

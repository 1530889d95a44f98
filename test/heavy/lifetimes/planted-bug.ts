import { giveBackTagKey } from '../../../shared/groups/group-settings.ts';
import type { Sabotage } from '../../support/lifetimes/lifetime.ts';
import type { LifetimePlan } from '../../support/lifetimes/plan/plan.ts';
import { isRolling } from '../../support/lifetimes/plan/rolls.ts';

/** A plausible bug, and the rule that has to find it. */
export interface PlantedBug {
  readonly name: string;
  /** The names of the rules that may find it. */
  readonly foundBy: readonly string[];
  /** A lifetime that is written for it, and in which nothing is broken without it. It runs before others. */
  readonly plan?: LifetimePlan;
  /** Lifetimes that have found it. They run first, and others only if none of them finds it. */
  readonly foundIn: readonly number[];
  /** The lifetimes that could find it, by their plans. Defaults to all. */
  readonly where?: (plan: LifetimePlan) => boolean;
  readonly sabotage: Sabotage;
}

export const hasHolds = ({ history }: LifetimePlan): boolean => history.some(({ kind }) => kind === 'hold');

export const givesBack = ({ groups }: LifetimePlan): boolean =>
  groups.some(({ tags }) => tags[giveBackTagKey] !== undefined);

/** People roll groups in it. */
export const rolls = ({ seed }: LifetimePlan): boolean => isRolling(seed);

/** The same bugs, looked for only in such lifetimes. */
export const drawnWhere = (
  where: (plan: LifetimePlan) => boolean,
  bugs: readonly Omit<PlantedBug, 'where'>[],
): readonly PlantedBug[] => bugs.map((bug) => ({ ...bug, where }));

import { createRandom } from '@drover/cloud-sandbox/simulation';
import { type Dice, diceOf } from '../lifetimes/plan/dice.ts';

export const groupNames = ['workers', 'batch'] as const;

/** The events of simulated days with holds and schedules. Times are minutes since the beginning. */
export interface DaysPlan {
  readonly seed: number;
  readonly minutes: number;
  readonly holds: readonly PlannedHold[];
  readonly schedules: readonly PlannedSchedule[];
  /** The hours in which calls of `prewarm` fail. */
  readonly hardHours: ReadonlySet<number>;
  readonly clockOffsetSeconds: number;
  /** When the records of floors are deleted by hand. */
  readonly recordLostAt: number;
  /** When a parameter is written by hand that is not a hold; it is deleted half an hour later. */
  readonly unreadableAt: number;
  readonly maxSizes: readonly PlannedMaxSize[];
  readonly shortages: readonly PlannedShortage[];
}

/** An operator lowers MaxSize of a group below floors, and raises it again. */
export interface PlannedMaxSize {
  readonly group: string;
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
}

/** EC2 has no capacity. */
export interface PlannedShortage {
  readonly from: number;
  readonly to: number;
}

export interface PlannedHold {
  readonly group: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly nodes: number;
  readonly raiseMaxSize: boolean;
  readonly extendedAt?: number;
  readonly endedAt?: number;
}

/** Daily at a time in UTC. */
export interface PlannedSchedule {
  readonly group: string;
  readonly name: string;
  readonly hour: number;
  readonly minute: number;
  readonly nodes: number;
  readonly durationMinutes: number;
  readonly leadMinutes: number;
  readonly from: number;
  readonly to: number;
}

/** Holds ask for even numbers and other tools set odd ones, so that each bound shows its origin. */
const evenNodes = (dice: Dice): number => 4 + 2 * dice.integer(0, 4);

/** Twenty holds and schedules in a month, and at least eight. */
export function planDays(seed: number, days: number): DaysPlan {
  const dice = diceOf(createRandom(Math.imul(seed, 2_654_435_761)));
  const minutes = days * 1440;
  const count = Math.max(8, Math.round((20 * days) / 30));
  const schedules = Math.max(2, Math.round(count / 5));
  const holds = Array.from({ length: count - schedules }, (_, index) => planHold(dice, index, minutes));
  return {
    seed,
    minutes,
    holds,
    schedules: Array.from({ length: schedules }, (_, index) => planSchedule(dice, index, minutes)),
    hardHours: new Set(Array.from({ length: days * 24 }, (_, hour) => hour).filter(() => dice.chance(0.125))),
    clockOffsetSeconds: dice.pick([90, -90, 0]),
    recordLostAt: dice.integer(120, Math.floor(minutes / 2)),
    unreadableAt: dice.integer(120, minutes - 240),
    maxSizes: Array.from({ length: Math.ceil(days / 2) }, () => planMaxSize(dice, minutes)),
    shortages: Array.from({ length: Math.ceil(days / 2) }, () => planShortage(dice, holds)),
  };
}

function planHold(dice: Dice, index: number, minutes: number): PlannedHold {
  const from = 60 + dice.integer(0, minutes - 300);
  const to = Math.min(minutes - 90, from + 60 + dice.integer(0, Math.max(600, minutes / 7)));
  return {
    group: dice.pick(groupNames),
    name: `hold-${index}`,
    from,
    to,
    nodes: evenNodes(dice),
    raiseMaxSize: dice.chance(0.4),
    ...dice.maybe(0.3, () => ({ extendedAt: dice.integer(from, to - 1) })),
    ...dice.maybe(0.3, () => ({ endedAt: dice.integer(from, to - 1) })),
  };
}

const planSchedule = (dice: Dice, index: number, minutes: number): PlannedSchedule => ({
  group: dice.pick(groupNames),
  name: `schedule-${index}`,
  hour: dice.integer(0, 23),
  minute: dice.integer(0, 59),
  nodes: evenNodes(dice),
  durationMinutes: dice.pick([30, 120, 480]),
  leadMinutes: dice.pick([0, 5, 20]),
  from: dice.integer(0, Math.floor(minutes / 3)),
  to: minutes - 600,
});

function planMaxSize(dice: Dice, minutes: number): PlannedMaxSize {
  const from = 60 + dice.integer(0, minutes - 600);
  return {
    group: dice.pick(groupNames),
    from,
    to: from + dice.integer(60, 300),
    low: dice.pick([3, 5]),
    high: dice.pick([9, 11, 13]),
  };
}

/** It begins before a hold that needs nodes. */
function planShortage(dice: Dice, holds: readonly PlannedHold[]): PlannedShortage {
  const from = Math.max(1, dice.pick(holds).from - dice.integer(5, 30));
  return { from, to: from + dice.integer(90, 300) };
}

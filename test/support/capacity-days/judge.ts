import type { DroverWorld } from '../drover-world.ts';
import type { BookedHold, CapacityBook } from '../lifetimes/watch/capacity-book.ts';

const minute = 60_000;
/** So long after a disturbance the floor may be wrong. */
const graceMilliseconds = 6 * minute;
const clockMilliseconds = 91_000;
/** A look each minute says what is wrong. */
const saidMilliseconds = 3 * minute;

/** What a judge found, by minute. */
export interface Judgement {
  readonly wrong: readonly string[];
  /** Minutes in which the floor was not right, and Drover said so. */
  readonly said: number;
  readonly right: number;
}

export interface Judge {
  /** Something happened after which Drover needs its time: to one group or to all. */
  disturbed(autoScalingGroupName?: string): void;
  /** Asked every minute. */
  look(groups: readonly string[]): void;
  judgement(): Judgement;
}

/** Compares MinSize with what its makers know of the holds: at every minute it is right, or Drover says that it is not. */
export function createJudge(world: DroverWorld, book: CapacityBook): Judge {
  const disturbedAt = new Map<string, number>();
  const saidAt = new Map<string, number>();
  const wrong: string[] = [];
  let read = 0;
  let said = 0;
  let right = 0;
  const listen = (): void => {
    for (const { level, group, outcome, message } of world.lines.slice(read) as readonly Record<
      string,
      unknown
    >[])
      if (level === 'warn' && message !== undefined && outcome === undefined)
        saidAt.set(String(group), world.clock.now());
    read = world.lines.length;
  };
  const isCalm = (group: string): boolean =>
    world.clock.now() - Math.max(disturbedAt.get(group) ?? 0, disturbedAt.get('') ?? 0) > graceMilliseconds;
  return {
    disturbed: (group = '') => disturbedAt.set(group, world.clock.now()),
    look: (groups) => {
      listen();
      for (const group of groups) {
        if (!isCalm(group)) continue;
        const { minSize } = book.boundsOf(group);
        const { least, most } = expected(book, group, world.clock.now());
        if (minSize >= least && minSize <= most) right += 1;
        else if (world.clock.now() - (saidAt.get(group) ?? 0) <= saidMilliseconds) said += 1;
        else
          wrong.push(
            `${new Date(world.clock.now()).toISOString()} ${group}: MinSize ${minSize}, between ${least} and ${most} expected`,
          );
      }
    },
    judgement: () => ({ wrong, said, right }),
  };
}

/** The highest of the base and the holds: of those that surely stand, and of those that may. */
function expected(
  book: CapacityBook,
  group: string,
  now: number,
): { readonly least: number; readonly most: number } {
  const base = book.baseOf(group).minSize;
  const holds = book.holdsOf(group);
  const highest = (standing: readonly BookedHold[]): number =>
    Math.max(base, ...standing.map(({ nodes }) => nodes));
  return {
    least: highest(
      holds.filter(
        ({ from, changedAt, until }) =>
          Math.max(from, changedAt) + graceMilliseconds <= now && now < until - clockMilliseconds,
      ),
    ),
    most: highest(holds.filter(({ until }) => now < until + graceMilliseconds)),
  };
}

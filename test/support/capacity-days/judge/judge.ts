import type { DroverWorld } from '../../../../local/world/drover-world.ts';
import type { CapacityBook } from '../../lifetimes/watch/capacity-book.ts';
import type { DaysPlan } from '../plan.ts';
import { createHoldAsker } from './asked-for-holds.ts';
import { expectedOf, graceMilliseconds } from './expected.ts';
import { createNodesJudge } from './nodes.ts';
import { hearWarnings } from './warnings.ts';

/** The findings of a judge, by minute. */
export interface Judgement {
  readonly wrong: readonly string[];
  /** Minutes in which the floor was wrong and Drover reported it. */
  readonly said: number;
  readonly right: number;
  /** Minutes in which EC2 had no capacity for nodes of holds and Drover reported it. */
  readonly explained: number;
}

export interface Judge {
  /** Records an event after which Drover needs time, for one group or all. */
  disturbed(autoScalingGroupName?: string): void;
  /** Called every minute, with the minutes since the beginning. */
  look(groups: readonly string[], now: number): void;
  /** Runs `drover hold list` and judges its output. */
  ask(): Promise<void>;
  judgement(): Judgement;
}

interface Judged {
  readonly world: DroverWorld;
  readonly book: CapacityBook;
  readonly plan: DaysPlan;
}

/** Compares MinSize and the nodes with the holds: in every minute they are right, or Drover reports that they are not. */
export function createJudge(judged: Judged): Judge {
  const { world, book } = judged;
  const disturbedAt = new Map<string, number>();
  const warnings = hearWarnings(world);
  const wrong: string[] = [];
  const counts = { said: 0, right: 0 };
  const isCalm = (group: string): boolean =>
    world.clock.now() - Math.max(disturbedAt.get(group) ?? 0, disturbedAt.get('') ?? 0) > graceMilliseconds;
  const nodes = createNodesJudge(judged, { isCalm, warnings });
  const askForHolds = createHoldAsker(world, nodes);
  const accuse = (what: string): void =>
    void wrong.push(`${new Date(world.clock.now()).toISOString()} ${what}`);
  const judgeFloor = (group: string): void => {
    const { minSize } = book.boundsOf(group);
    const { least, most, asked } = expectedOf(book, group, world.clock.now());
    if (minSize >= least && minSize <= most && minSize >= asked) counts.right += 1;
    else if (warnings.said(group)) counts.said += 1;
    else
      accuse(`${group}: MinSize ${minSize}, between ${least} and ${most} expected, and ${asked} asked for`);
  };
  return {
    disturbed: (group = '') => disturbedAt.set(group, world.clock.now()),
    look: (groups, now) => {
      warnings.listen();
      for (const group of groups) {
        if (isCalm(group)) judgeFloor(group);
        const fault = nodes.look(group, now);
        if (fault !== undefined) accuse(`${group}: ${fault}`);
      }
    },
    ask: async () => (await askForHolds()).forEach(accuse),
    judgement: () => ({ wrong, ...counts, explained: nodes.explained() }),
  };
}

import { nodeTerminationHandler } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { back, forward, run, type Step } from './hand-over/by-hand.ts';
import { drainedByDrover, drainedByHandler, isQuiet, stateOfGroups, until } from './hand-over/checks.ts';
import { startLoad } from './hand-over/load.ts';
import { type Watch, watchWorld } from './hand-over/watch.ts';
import { groupNames, type NthWorld, openNthWorld } from './hand-over/world.ts';

const { missing } = nodeTerminationHandler;
/** A run of .ci/run has some of the rounds: consecutive commits have others. */
const rounds = Number(process.env['NTH_ROUNDS'] ?? 10);
const firstRound = Number(process.env['NTH_FIRST_ROUND'] ?? 1);
const leavesInRound = 40;
const longestRoundMilliseconds = 700_000;
/** Of a hook that runs out after an hour. */
const longestWaitSeconds = 2700;

interface Round {
  readonly round: number;
  readonly kills: 'nothing' | 'NTH' | 'the command' | 'passes' | 'all of them';
  readonly isBackUnderLoad: boolean;
}

const plan: readonly Round[] = Array.from({ length: rounds }, (_, after) => firstRound - 1 + after).map(
  (index) => ({
    round: index + 1,
    kills: (['nothing', 'NTH', 'the command', 'passes', 'all of them'] as const)[index % 5] ?? 'nothing',
    isBackUnderLoad: index % 3 === 2,
  }),
);

describe.skipIf(missing !== undefined)(
  `the steps of a hand-over from AWS Node Termination Handler${missing === undefined ? '' : `, which is not installed: ${missing}`}`,
  () => {
    let world: NthWorld;
    let watch: Watch;
    beforeAll(async () => {
      world = await openNthWorld();
      watch = watchWorld(world);
    });
    afterAll(async () => {
      watch?.stop();
      await world?.close();
    });

    /** Runs the steps for all groups, one after another, while something is killed. */
    async function handOver(steps: readonly Step[], { kills, round }: Round): Promise<void> {
      const killed = (what: Round['kills']): boolean => kills === what || kills === 'all of them';
      for (const [index, name] of groupNames.entries()) {
        if (killed('passes')) world.killPasses(3);
        const handler = killed('NTH') && index === round % 3 ? world.killHandler() : undefined;
        if (killed('the command')) await run(world, name, steps.slice(0, 1 + ((round + index) % 4)));
        await run(world, name, steps);
        await handler;
      }
    }

    it.each(plan)(
      'loses no pod of 40 nodes that leave meanwhile, with $kills killed (round $round)',
      async (round) => {
        const before = watch.departures.length;
        const left = () => watch.departures.slice(before);
        const load = startLoad(world, round.round);
        await until(world, () => left().length >= 3, { what: 'the first departures', withinSeconds: 600 });
        await handOver(forward, round);
        await until(world, () => left().length >= leavesInRound, {
          what: `${leavesInRound} departures`,
          withinSeconds: 2400,
        });
        load.stop();
        await until(world, () => isQuiet(world), { what: 'the end of the last leave', withinSeconds: 2400 });
        expect(stateOfGroups(world)).toEqual(drainedByDrover);

        const again = round.isBackUnderLoad ? startLoad(world, round.round + 100) : undefined;
        if (again) await world.pass(30);
        await handOver(back, round);
        again?.stop();
        await until(world, () => isQuiet(world), {
          what: 'the end of the last leave after the way back',
          withinSeconds: 2400,
        });
        expect(stateOfGroups(world)).toEqual(drainedByHandler);

        expect(left().flatMap(({ podsKilled }) => podsKilled)).toEqual([]);
        expect(Math.max(...left().map(({ waitedSeconds }) => waitedSeconds))).toBeLessThan(
          longestWaitSeconds,
        );
        expect(watch.violations).toEqual([]);
        expect(left().filter(({ drainedBy }) => drainedBy.includes('NTH')).length).toBeGreaterThan(0);
        expect(left().filter(({ drainedBy }) => drainedBy.includes('Drover')).length).toBeGreaterThan(10);
        expect(world.problems).toEqual([]);
      },
      longestRoundMilliseconds,
    );
  },
);

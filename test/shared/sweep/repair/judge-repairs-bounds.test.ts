import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeRepairs } from '../../../../shared/sweep/repair/judge-repairs.ts';
import { ago, id, member, minutes, nodeOf, now, workers } from './support.ts';

const hour = 60 * minutes;
const sweepEvery = 5 * minutes;

/** The history of one instance: when its node fails, whether the operator removes it, how long its replacement needs. */
interface Fate {
  readonly failsAfterMinutes: number;
  readonly recoversAfterMinutes: number;
  readonly leavesForMinutes: number;
  readonly launchesForMinutes: number;
  readonly isProtected: boolean;
}

const fates = fc.record({
  failsAfterMinutes: fc.nat(120),
  recoversAfterMinutes: fc.nat(400),
  leavesForMinutes: fc.nat(30),
  launchesForMinutes: fc.nat(30),
  isProtected: fc.boolean(),
});

interface Living {
  readonly number: number;
  readonly fate: Fate;
  /** Since when its Node was Ready. */
  readonly since: number;
  readonly repairedAt?: number;
}

/** A group whose nodes fail and recover at random, and whose Unhealthy instances Auto Scaling replaces. */
function live(size: number, list: readonly Fate[], { staleMinutes }: { readonly staleMinutes: number }) {
  let next = 0;
  const fateOf = (number: number): Fate => list[number % list.length] as Fate;
  const born = (since: number): Living => {
    next += 1;
    return { number: next, fate: fateOf(next), since };
  };
  const start = now - 24 * hour;
  let living = Array.from({ length: size }, () => born(start));
  const repairs: { readonly at: number; readonly under: number }[] = [];
  for (let at = start; at < start + 12 * hour; at += sweepEvery) {
    living = living.map((one) => (endOf(one) <= at ? born(endOf(one)) : one));
    const replaced = repairs.filter((repair) => repair.at > at - hour).length;
    const findings = judgeRepairs({
      now: at,
      groups: [
        workers({
          instances: living.map((one) => member(one.number, stateAt(one, at))),
          desiredCapacity: size,
        }),
      ],
      // The Nodes as they were a while ago, and Nodes that never fail, so that few fail at the same time.
      nodes: [
        ...living.map((one) => nodeAt(one, at - staleMinutes * minutes)),
        ...Array.from({ length: size * 3 }, (_, index) => nodeOf(100_000 + index)),
      ],
      replacements: new Map([['workers', { count: replaced }]]),
    });
    const chosen = findings.filter(({ verdict }) => verdict === 'repair');
    for (const { instanceId } of chosen) {
      const under = living.filter(({ repairedAt }) => repairedAt !== undefined).length;
      repairs.push({ at, under });
      living = living.map((one) => (id(one.number) === instanceId ? { ...one, repairedAt: at } : one));
    }
  }
  return repairs;
}

/** When its replacement is in service. */
const endOf = ({ repairedAt = Infinity, fate }: Living): number =>
  repairedAt + (1 + fate.leavesForMinutes + fate.launchesForMinutes) * minutes;

function stateAt({ repairedAt, fate }: Living, at: number) {
  const protection = fate.isProtected && { protectedFromScaleIn: true };
  if (repairedAt === undefined) return { ...protection };
  const minutesSince = (at - repairedAt) / minutes;
  if (minutesSince < 1) return { ...protection, healthy: false };
  return {
    ...protection,
    lifecycleState: minutesSince < 1 + fate.leavesForMinutes ? 'Terminating:Wait' : 'Pending:Wait',
  };
}

function nodeAt({ number, since, fate }: Living, at: number) {
  const failedAt = since + fate.failsAfterMinutes * minutes;
  const isFailing = at >= failedAt && at < failedAt + fate.recoversAfterMinutes * minutes;
  return nodeOf(
    number,
    isFailing ? [{ type: 'Ready', status: 'Unknown', lastTransitionTime: ago(now - failedAt) }] : [],
  );
}

it('in any history a group has one repair at a time, and at most a fifth of it within an hour', () => {
  let most = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 17 }),
      fc.array(fates, { minLength: 1, maxLength: 20 }),
      fc.nat(10),
      (size, list, staleMinutes) => {
        const repairs = live(size, list, { staleMinutes });
        most = Math.max(most, repairs.length);
        for (const { at, under } of repairs) {
          expect(under).toBe(0);
          const withinAnHour = repairs.filter((other) => other.at > at - hour && other.at <= at);
          expect(withinAnHour.length).toBeLessThanOrEqual(Math.ceil(size / 5));
        }
      },
    ),
    { numRuns: 40 },
  );
  // The histories have enough repairs for the bounds to matter.
  expect(most).toBeGreaterThan(3);
});

it('for any observation at most one node of a group is repaired, and only one that is in service and has failed long enough', () => {
  const states = fc.constantFrom(
    'InService',
    'InService',
    'InService',
    'Standby',
    'Pending:Wait',
    'Terminating:Wait',
  );
  const observed = fc.record({
    lifecycleState: states,
    healthy: fc.boolean(),
    silentMinutes: fc.option(fc.nat(30), { nil: undefined }),
  });
  fc.assert(
    fc.property(
      fc.array(observed, { minLength: 1, maxLength: 12 }),
      fc.nat(4),
      fc.nat(12),
      (all, count, desiredCapacity) => {
        const nodes = all.map(({ silentMinutes }, number) =>
          nodeOf(
            number,
            silentMinutes === undefined
              ? []
              : [{ type: 'Ready', status: 'False', lastTransitionTime: ago(silentMinutes * minutes) }],
          ),
        );
        const instances = all.map(({ lifecycleState, healthy }, number) =>
          member(number, { lifecycleState, healthy }),
        );
        const findings = judgeRepairs({
          now,
          groups: [workers({ instances, desiredCapacity })],
          nodes,
          replacements: new Map([['workers', { count }]]),
        });
        const repaired = findings.filter(({ verdict }) => verdict === 'repair');
        expect(repaired.length).toBeLessThanOrEqual(1);
        for (const { instanceId } of repaired) {
          const index = instances.findIndex((one) => one.instanceId === instanceId);
          expect(all[index]).toMatchObject({ lifecycleState: 'InService', healthy: true });
          expect(all[index]?.silentMinutes).toBeGreaterThanOrEqual(10);
          const serving = all.filter(({ lifecycleState }) => lifecycleState === 'InService');
          expect(all.every(({ lifecycleState }) => ['InService', 'Standby'].includes(lifecycleState))).toBe(
            true,
          );
          expect(serving.every(({ healthy }) => healthy)).toBe(true);
          expect(serving.length).toBeGreaterThanOrEqual(desiredCapacity);
          expect(count).toBeLessThan(Math.ceil(serving.length / 5));
        }
      },
    ),
  );
});

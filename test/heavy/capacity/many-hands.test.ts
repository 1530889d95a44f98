import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../support/drover-world.ts';
import { boundsOf, holdParameters, putHold } from '../../support/holds.ts';

/** CAPACITY_DAYS=30 lives a whole month, which takes a quarter of an hour. */
const days = Number(process.env.CAPACITY_DAYS ?? 2);
const minutes = days * 24 * 60;

/** A clock that is 90 s ahead ends a hold so much earlier. */
const clockMinutes = 2;

/** How long after a change of another tool, a fault or a hold's beginning the floor may be wrong. */
const graceMinutes = 6;

interface Planned {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly nodes: number;
  readonly raiseMaxSize: boolean;
}

/** Holds that overlap, of an hour to a day or more: twenty in a month, eight at least. Holds ask for even numbers; others set odd ones. */
function plan(random: ReturnType<typeof createRandom>): readonly Planned[] {
  return Array.from({ length: Math.max(8, Math.round((20 * days) / 30)) }, (_, index) => {
    const from = 60 + random.integer(0, minutes - 180);
    return {
      name: `hold-${index}`,
      from,
      to: Math.min(minutes - 60, from + 60 + random.integer(0, Math.max(1440, days * 200))),
      nodes: 4 + 2 * random.integer(0, 4),
      raiseMaxSize: random.next() < 0.3,
    };
  });
}

const kinds = ['fail-before', 'fail-after', 'hang-before', 'kill-before', 'kill-after'] as const;

/** Calls of prewarm are struck in one hour of eight. */
function createFaults(random: ReturnType<typeof createRandom>) {
  const state = { isHard: false, struck: 0 };
  const strike = ({ caller }: CallInFlight): Strike | undefined => {
    if (caller !== 'prewarm' || !state.isHard || random.next() < 0.7) return undefined;
    state.struck += 1;
    return { kind: random.pick(kinds) };
  };
  return { state, strike };
}

/** Sizes that went down by a change of the bounds: nobody but Drover makes such changes here. */
const loweredByBounds = ({ account }: DroverWorld): readonly string[] =>
  (
    account.autoScaling.operations.DescribeScalingActivities({ AutoScalingGroupName: 'workers' })
      .Activities ?? []
  )
    .map(({ Cause = '' }) => Cause)
    .filter((cause) => {
      const [, from, to] = /constraints .*desired capacity from (\d+) to (\d+)/.exec(cause) ?? [];
      return Number(to) < Number(from);
    });

it.each([1, 2])(
  'in days of holds, an autoscaler, a person, infrastructure as code and faults the floor is right, and the base comes back (seed %i)',
  { timeout: 900_000 },
  async (seed) => {
    const clockOffset = seed === 1 ? 90_000 : -90_000;
    const random = createRandom(seed);
    const { state, strike } = createFaults(random);
    const world = createDroverWorld({
      seed,
      weather: {
        strike,
        // Auto Scaling answers with what was true up to ten seconds ago, and prewarm's clock is wrong.
        staleSeconds: ({ caller, what }) =>
          caller === 'prewarm' && what.startsWith('autoscaling') ? random.integer(0, 10) : 0,
        clockOffsetMilliseconds: (part) => (part === 'prewarm' ? clockOffset : 0),
      },
    });
    await withWorkers(world, { size: 3, settings: { MinSize: 3, MaxSize: 11 } });
    const { operations } = world.account.autoScaling;
    const holds = plan(random);
    const active = (now: number) => holds.filter(({ from, to }) => from <= now && now < to - clockMinutes);
    let base = 3;
    let calmSince = 0;
    const wrong: string[] = [];
    for (let now = 0; now < minutes; now += 1) {
      for (const { from, to, ...hold } of holds)
        if (from === now) {
          putHold(world, { ...hold, minutes: to - from });
          calmSince = now;
        }
      if (now % 60 === 0) state.isHard = random.next() < 0.125;
      if (state.isHard) calmSince = now;
      // An autoscaler, which respects the bounds.
      if (now % 17 === 0) {
        const { minSize = 0, maxSize = 0 } = boundsOf(world);
        operations.SetDesiredCapacity({
          AutoScalingGroupName: 'workers',
          DesiredCapacity: minSize + random.integer(0, maxSize - minSize),
        });
      }
      // A person, or a run of infrastructure as code: another MinSize, where Auto Scaling lets it be.
      if (now % 1440 === 1000) {
        base = random.pick([1, 3, 5]);
        operations.UpdateAutoScalingGroup({ AutoScalingGroupName: 'workers', MinSize: base });
        calmSince = now;
      }
      await world.timeline.pass(60);
      const standing = active(now);
      const most = Math.max(
        11,
        ...standing.filter(({ raiseMaxSize }) => raiseMaxSize).map(({ nodes }) => nodes),
      );
      const floor = Math.max(base, ...standing.map(({ nodes }) => Math.min(nodes, most)));
      const { minSize = 0 } = boundsOf(world);
      if (now - calmSince > graceMinutes && minSize < floor)
        wrong.push(`minute ${now}: MinSize ${minSize}, floor ${floor}`);
    }
    expect(wrong).toEqual([]);
    state.isHard = false;
    operations.SetDesiredCapacity({
      AutoScalingGroupName: 'workers',
      DesiredCapacity: boundsOf(world).minSize ?? 0,
    });
    await world.timeline.pass(1800);
    operations.SetDesiredCapacity({
      AutoScalingGroupName: 'workers',
      DesiredCapacity: boundsOf(world).minSize ?? 0,
    });
    await world.timeline.pass(1800);
    expect(boundsOf(world)).toMatchObject({ minSize: base, maxSize: 11 });
    expect(holdParameters(world)).toEqual([]);
    expect(loweredByBounds(world)).toEqual([]);
    expect(state.struck).toBeGreaterThan(10);
  },
);

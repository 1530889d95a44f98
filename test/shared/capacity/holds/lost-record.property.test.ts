import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { floorParameterOf } from '../../../../shared/capacity/holds/parameters.ts';
import { capacityPass } from '../../../../shared/capacity/holds/pass.ts';
import type { AutoScalingGroup } from '../../../../shared/groups/group.ts';
import { createHoldWorld, paths } from './world.ts';

/** The base is 2, and holds ask for more, so that MinSize shows whether Drover has raised it. */
const hold = fc.record({
  kind: fc.constant('hold' as const),
  name: fc.constantFrom('a', 'b'),
  nodes: fc.integer({ min: 3, max: 9 }),
  minutes: fc.integer({ min: 4, max: 40 }),
  hasTime: fc.boolean(),
});

/** No pass runs for a while: the group is paused, Drover is away, or AWS throttles. */
const away = fc.record({ kind: fc.constant('away' as const), minutes: fc.integer({ min: 1, max: 30 }) });
const passes = fc.record({ kind: fc.constant('passes' as const), minutes: fc.integer({ min: 1, max: 20 }) });

type Event =
  | (typeof hold extends fc.Arbitrary<infer Value> ? Value : never)
  | (typeof away extends fc.Arbitrary<infer Value> ? Value : never)
  | (typeof passes extends fc.Arbitrary<infer Value> ? Value : never);

async function play(events: readonly Event[], size: Partial<AutoScalingGroup> = {}) {
  const world = createHoldWorld();
  world.change(size);
  const claims: string[] = [];
  const pass = async (): Promise<void> => {
    const { reason } = await capacityPass(world.context, 'workers');
    if (reason.includes('was lost')) claims.push(reason);
    world.passSeconds(60);
  };
  for (const event of events) {
    const now = world.clock.now();
    if (event.kind === 'hold') {
      const { name, nodes, minutes, hasTime } = event;
      const times = { until: now + minutes * 60_000, ...(hasTime && { createdAt: now }) };
      world.hold({ autoScalingGroupName: 'workers', name, nodes, raiseMaxSize: false, ...times });
    }
    if (event.kind === 'away') world.passSeconds(event.minutes * 60);
    if (event.kind === 'passes') for (let minute = 0; minute < event.minutes; minute += 1) await pass();
  }
  return { world, claims, pass };
}

it('a record that was not deleted is never called lost, however long no pass ran', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(hold, away, passes), { maxLength: 20 }), async (events) => {
      expect((await play(events)).claims).toEqual([]);
    }),
  );
});

it('a group of fixed size never has a record that is called lost, while Drover runs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(hold, passes), { maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      async (events, nodes) => {
        const size = { minSize: nodes, maxSize: nodes, desiredCapacity: nodes };
        // A pass runs within a minute after each hold. A hold without the time of its creation may be an old one.
        const each = events.flatMap((event): Event[] => [
          { ...event, ...(event.kind === 'hold' && { hasTime: true }) },
          { kind: 'passes', minutes: 1 },
        ]);
        const { world, claims } = await play(each, size);
        expect(claims).toEqual([]);
        expect(world.group()).toMatchObject(size);
      },
    ),
  );
});

it('a record that is deleted while a hold has raised MinSize is called lost by the next pass', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(hold, away, passes), { maxLength: 12 }),
      hold,
      fc.integer({ min: 3, max: 20 }),
      async (before, last, minutes) => {
        const { world, claims, pass } = await play([
          ...before,
          { ...last, nodes: 10, minutes: minutes + 5 },
          { kind: 'passes', minutes },
        ]);
        expect(world.group().minSize).toBe(10);
        world.texts.delete(floorParameterOf(paths, 'workers'));
        await pass();
        expect(claims).toHaveLength(1);
        expect(world.group().minSize).toBe(10);
      },
    ),
  );
});

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { capacityPass } from '../../../../shared/capacity/holds/pass.ts';
import { hour } from './fixtures.ts';
import { createHoldWorld, Struck } from './world.ts';

/** Others set odd sizes and holds set even ones, so that each size shows its origin. */
const event = fc.oneof(
  fc.record({
    kind: fc.constant('hold' as const),
    name: fc.constantFrom('a', 'b', 'c'),
    nodes: fc.integer({ min: 1, max: 8 }).map((half) => half * 2),
    minutes: fc.integer({ min: 1, max: 40 }),
    raiseMaxSize: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('end' as const), name: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ kind: fc.constant('base' as const), minSize: fc.constantFrom(1, 3, 5) }),
  fc.record({ kind: fc.constant('desired' as const), fraction: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant('stale' as const), seconds: fc.integer({ min: 0, max: 10 }) }),
  fc.record({ kind: fc.constant('stale-record' as const), seconds: fc.integer({ min: 0, max: 10 }) }),
  fc.record({
    kind: fc.constant('strike' as const),
    calls: fc.integer({ min: 0, max: 6 }),
    after: fc.boolean(),
  }),
  fc.constant({ kind: 'quiet' as const }),
);

type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

const hold = (name: 'a' | 'b', nodes: number) =>
  ({ kind: 'hold', name, nodes, minutes: 9, raiseMaxSize: true }) as const;
const staleRecord = { kind: 'stale-record', seconds: 9 } as const;

/** Two scans at the same time start two passes in sequence: the second one reads no record, or an older one. */
const examples: [Event[]][] = [
  [[staleRecord, hold('a', 4)]],
  [[hold('a', 4), staleRecord, hold('b', 12)]],
  // The call that fails deletes the parameter of a hold.
  [
    [
      { ...hold('a', 2), minutes: 1 },
      { kind: 'base', minSize: 1 },
      { kind: 'strike', calls: 6, after: false },
      { kind: 'quiet' },
    ],
  ],
];

type World = ReturnType<typeof createHoldWorld>;

const runPass = (world: World): Promise<unknown> =>
  capacityPass(world.context, 'workers').catch((error: unknown) => {
    if (!isStruck(error)) throw error;
  });

/** The error of a pass over several holds contains those of each. */
const isStruck = (error: unknown): boolean =>
  error instanceof Struck || (error instanceof AggregateError && error.errors.every(isStruck));

/** Starts passes as the scan of every minute does. */
async function minute(world: World): Promise<void> {
  await runPass(world);
  world.passSeconds(60);
}

it('whatever fails or changes, holds have their nodes and the base is restored', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      const world = createHoldWorld();
      let base = 2;
      const until = new Map<string, { nodes: number; until: number; raiseMaxSize: boolean }>();
      for (const one of events) {
        if (one.kind === 'hold') {
          const { name, nodes, raiseMaxSize } = one;
          const end = world.clock.now() + one.minutes * 60_000;
          until.set(name, { nodes, until: end, raiseMaxSize });
          const createdAt = world.clock.now();
          world.hold({ autoScalingGroupName: 'workers', name, nodes, until: end, raiseMaxSize, createdAt });
        }
        if (one.kind === 'end') {
          world.end(one.name);
          until.delete(one.name);
          world.setStaleRecordSeconds(0);
        }
        if (one.kind === 'base') {
          base = one.minSize;
          world.change({ minSize: base, desiredCapacity: Math.max(base, world.group().desiredCapacity) });
          // AWS shows it everywhere before anything else happens: two changes at the same time cannot be distinguished.
          world.setStaleSeconds(0);
          world.setStaleRecordSeconds(0);
        }
        if (one.kind === 'desired') {
          const { minSize, maxSize } = world.group();
          world.change({ desiredCapacity: minSize + Math.round(one.fraction * (maxSize - minSize)) });
        }
        // They affect the passes after the next event.
        if (one.kind === 'stale') world.setStaleSeconds(one.seconds);
        if (one.kind === 'stale-record') world.setStaleRecordSeconds(one.seconds);
        if (one.kind === 'strike') world.strikeAfter(one.calls, { after: one.after });
        if (['stale', 'stale-record', 'strike'].includes(one.kind)) continue;
        await runPass(world);
        world.passSeconds(one.kind === 'quiet' ? 60 : 5);
        await runPass(world);
        world.strikeAfter(undefined);
        world.setStaleSeconds(0);
        world.setStaleRecordSeconds(0);
        const desiredBefore = world.group().desiredCapacity;
        await minute(world);
        expect(world.group().desiredCapacity).toBeGreaterThanOrEqual(desiredBefore);
        const active = [...until.values()].filter((hold) => hold.until > world.clock.now());
        const most = Math.max(10, ...active.filter((hold) => hold.raiseMaxSize).map(({ nodes }) => nodes));
        const floor = Math.max(base, ...active.map(({ nodes }) => Math.min(nodes, most)));
        expect(world.group().minSize).toBeGreaterThanOrEqual(floor);
      }
      world.strikeAfter(undefined);
      world.setStaleSeconds(0);
      world.setStaleRecordSeconds(0);
      world.passSeconds(hour / 1000);
      world.change({ desiredCapacity: Math.min(10, world.group().desiredCapacity) });
      world.change({ desiredCapacity: Math.max(world.group().minSize, world.group().desiredCapacity) });
      for (let passes = 0; passes < 12; passes += 1) await minute(world);
      world.change({ desiredCapacity: world.group().minSize });
      for (let passes = 0; passes < 12; passes += 1) await minute(world);
      expect(world.group()).toMatchObject({ minSize: base, maxSize: 10 });
      expect([...world.texts.keys()]).toEqual([]);
    }),
    { numRuns: 300, examples },
  );
});

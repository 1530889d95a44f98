import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { capacityPass } from '../../../../shared/capacity/holds/pass.ts';
import type { PodsReading } from '../../../../shared/capacity/pod-holds/pods-reading.ts';
import { hour } from '../holds/fixtures.ts';
import { createHoldWorld, Struck } from '../holds/world.ts';
import { web } from './fixtures.ts';

/** What happens in one minute before its scan reads the pods. */
const minutes = fc.array(
  fc.record({
    /** The nodes that the pods need from now on; undefined if that does not change. */
    nodes: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined, freq: 2 }),
    read: fc.constantFrom('found', 'found', 'found', 'failed', 'none'),
    /** How many older messages are delivered again, before or after the new one. */
    again: fc.integer({ min: 0, max: 2 }),
    /** What a second scan finds that begins at the same time, as if pods had come or gone in between. */
    opposite: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined, freq: 2 }),
    isLate: fc.boolean(),
    killedAfterCalls: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined, freq: 3 }),
    after: fc.boolean(),
    /** How old the answers about the group and about its record are. */
    staleSeconds: fc.integer({ min: 0, max: 10 }),
    staleRecordSeconds: fc.integer({ min: 0, max: 10 }),
    /** Time between the passes of this minute. */
    betweenSeconds: fc.constantFrom(0, 1, 5),
  }),
  { maxLength: 20 },
);

const quiet = {
  nodes: undefined,
  read: 'found',
  again: 0,
  opposite: undefined,
  isLate: false,
  killedAfterCalls: undefined,
  after: false,
  staleSeconds: 0,
  staleRecordSeconds: 0,
  betweenSeconds: 0,
} as const;

const isStruck = (error: unknown): boolean => error instanceof Struck;

it('whatever fails, comes late or twice: the floor is what a read found, follows it down, and ends at the base', async () => {
  await fc.assert(
    fc.asyncProperty(minutes, async (events) => {
      const world = createHoldWorld();
      const { context, clock } = world;
      /** SQS hides a message that comes again, and with it those behind it. */
      const run = async (reading: PodsReading | undefined): Promise<void> => {
        for (;;) {
          const outcome = await world
            .finished(capacityPass(context, 'workers', reading))
            .catch((error: unknown) => {
              if (!isStruck(error)) throw error;
            });
          if (outcome?.status !== 'again') return;
          world.passSeconds(outcome.afterSeconds);
        }
      };
      const hold = {
        autoScalingGroupName: 'workers',
        name: 'sale',
        nodes: 0,
        pods: web(),
        until: clock.now() + 3 * hour,
        raiseMaxSize: false,
        createdAt: clock.now(),
      };
      world.hold(hold);
      let needed = 0;
      const sent: PodsReading[] = [];
      const scan = (kind: string, found = needed): PodsReading | undefined => {
        const readAt = clock.now();
        if (kind === 'none') return undefined;
        if (kind === 'failed') return { kind: 'failed', readAt, why: 'odd' };
        return { kind: 'read', readAt, nodes: found, holds: { sale: { total: 40, open: 40, placed: 0 } } };
      };
      for (const event of events) {
        const { nodes, read, again, opposite, isLate, killedAfterCalls, after, betweenSeconds } = event;
        needed = nodes ?? needed;
        const first = opposite === undefined ? [] : [scan('found', opposite)];
        world.passSeconds(opposite === undefined ? 0 : 1);
        const reading = scan(read);
        const older = sent.slice(0, again);
        if (reading) sent.push(reading);
        world.strikeAfter(killedAfterCalls, { after });
        world.setStaleSeconds(event.staleSeconds);
        world.setStaleRecordSeconds(event.staleRecordSeconds);
        for (const one of [...first, ...(isLate ? [...older, reading] : [reading, ...older])]) {
          await run(one);
          world.passSeconds(betweenSeconds);
        }
        world.strikeAfter(undefined);
        world.setStaleSeconds(0);
        world.setStaleRecordSeconds(0);
        // SQS delivers the message of a killed pass again.
        if (killedAfterCalls !== undefined) await run(reading);
        if (reading?.kind === 'read')
          expect(world.group().minSize).toBeGreaterThanOrEqual(Math.max(2, needed));
        world.passSeconds(60);
      }
      for (let minute = 0; minute < 4; minute += 1) {
        await run(scan('found'));
        world.passSeconds(60);
      }
      expect(world.group().minSize).toBe(Math.max(2, needed));
      world.passSeconds((3 * hour) / 1000);
      for (let pass = 0; pass < 8; pass += 1) {
        // The last message of the hold is delivered again after its end.
        await run(sent.at(-1));
        world.passSeconds(60);
      }
      expect(world.group()).toMatchObject({ minSize: 2, maxSize: 10 });
      expect([...world.texts.keys()]).toEqual([]);
    }),
    {
      numRuns: 200,
      examples: [
        // Two scans at once: the second pass reads neither the bounds nor the record of the first.
        [[{ ...quiet, nodes: 5, opposite: 7, staleSeconds: 9, staleRecordSeconds: 9, betweenSeconds: 1 }]],
        [
          [
            { ...quiet, nodes: 7 },
            { ...quiet, nodes: 3 },
            { ...quiet, nodes: 7, again: 1, isLate: true, staleSeconds: 1, staleRecordSeconds: 1 },
          ],
        ],
      ],
    },
  );
});

it('a pass with the last read of a Job’s pods ends its hold, and a second one has nothing to do', async () => {
  const world = createHoldWorld();
  const { context, clock } = world;
  const job = {
    autoScalingGroupName: 'workers',
    name: 'night',
    nodes: 0,
    pods: web({ endsOnceBound: true }),
    until: clock.now() + hour,
    raiseMaxSize: false,
    createdAt: clock.now() - 1000,
  };
  world.hold(job);
  world.hold({ ...job, name: 'night.20261123T0800Z', by: 'schedule night' });
  const bound = { total: 40, open: 0, placed: 0 };
  const reading: PodsReading = {
    kind: 'read',
    readAt: clock.now(),
    nodes: 5,
    holds: { night: bound, 'night.20261123T0800Z': bound },
  };
  for (let pass = 0; pass < 3; pass += 1) await world.finished(capacityPass(context, 'workers', reading));
  const kept = [...world.texts].filter(([name]) => name.includes('/holds/'));
  // The schedule would make its hold again.
  expect(kept.map(([, text]) => JSON.parse(text))).toEqual([
    expect.objectContaining({ by: 'schedule night', endedAt: new Date(reading.readAt).toISOString() }),
  ]);
});

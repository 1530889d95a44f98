import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rotate } from '../../../shared/credentials/rotate.ts';
import {
  createRotationBench,
  type Fault,
  hour,
  settings,
  struck,
} from '../../support/credentials/rotation-bench.ts';

/** More calls than a rotation makes: a fault beyond the last one has no effect. */
const calls = Array.from({ length: 14 }, (_, index) => index + 1);
const faults: readonly Fault[] = calls.flatMap((call) =>
  (['before', 'after'] as const).flatMap((when) =>
    (['error', 'kill'] as const).map((kind) => ({ call, when, kind })),
  ),
);

const ended = (run: Promise<unknown>): Promise<unknown> => run.catch((error: unknown) => error);

/** A bench where a credential is published, an older token has had its overlap and a rotation is due. */
async function dueBench() {
  const bench = createRotationBench();
  await bench.run();
  bench.advance(hour);
  await rotate(bench.context, settings, { force: true });
  bench.advance(12 * hour);
  return bench;
}

describe('a rotation with a fault at any call', () => {
  it.each(faults)('leaves an accepted credential published: $kind $when call $call', async (fault) => {
    const bench = await dueBench();
    await ended(bench.run(fault));
    expect(bench.publishedIsAccepted()).toBe(true);
    await bench.run();
    expect(bench.publishedIsAccepted()).toBe(true);
  });

  it.each(faults)(
    'leaves no token behind for longer than it is valid: $kind $when call $call',
    async (fault) => {
      const bench = await dueBench();
      await ended(bench.run(fault));
      await bench.run();
      const lost = bench.validIds().filter((id) => !bench.ledger().some((token) => token.id === id));
      expect(lost.length).toBeLessThanOrEqual(1);
      bench.advance(hour);
      await bench.run();
      const published = bench.publishedToken()?.slice(0, 6);
      expect(bench.ledger().map(({ id }) => id)).toEqual([published]);
      expect(new Set(bench.validIds())).toEqual(new Set([published, ...lost]));
      bench.advance(25 * hour);
      await bench.run();
      expect(bench.validIds()).toEqual([bench.publishedToken()?.slice(0, 6)]);
    },
  );

  it.each(faults)(
    'shows no secret, although errors quote the requests: $kind $when call $call',
    async (fault) => {
      const bench = await dueBench();
      const shown = inspect(await ended(bench.run(fault)), { depth: Infinity, showHidden: true });
      expect(bench.secrets.size).toBeGreaterThan(1);
      for (const secret of bench.secrets) expect(shown).not.toContain(secret);
    },
  );

  it('keeps a token whose publication may have succeeded, and deletes one that was not accepted', async () => {
    const lost = createRotationBench();
    await ended(lost.run({ call: 9, when: 'after', kind: 'error' }));
    expect(lost.publishedIsAccepted()).toBe(true);
    for (const call of [7, 8]) {
      const refused = createRotationBench();
      await ended(refused.run({ call, when: 'before', kind: 'error' }));
      expect(refused.cluster.held.size).toBe(0);
    }
  });
});

interface Turn {
  readonly minutes: number;
  readonly faults: readonly [Fault | undefined, Fault | undefined];
  readonly force: boolean;
}

const fault = fc.option(fc.constantFrom(...faults), { nil: undefined });
const turn: fc.Arbitrary<Turn> = fc.record({
  minutes: fc.integer({ min: 0, max: 150 }),
  faults: fc.tuple(fault, fault),
  force: fc.boolean(),
});

describe('any sequence of rotations, two at a time, with faults and jumps in time', () => {
  it('has an accepted credential published at every moment, and deletes none before its overlap is over', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.array(turn, { minLength: 5, maxLength: 25 }), async (seed, turns) => {
        const bench = createRotationBench(seed);
        await bench.run();
        for (const [index, { minutes, faults, force }] of turns.entries()) {
          bench.advance(minutes * 60_000);
          expect(bench.publishedIsAccepted()).toBe(true);
          // Failing for longer than a whole rotation period is what nothing can outlast: every fourth turn is spared.
          const runs = faults.map((fault) =>
            ended(
              rotate(fault && index % 4 !== 3 ? struck(bench.context, fault) : bench.context, settings, {
                force,
              }),
            ),
          );
          await Promise.all(runs);
          expect(bench.publishedIsAccepted() && bench.lockouts() === 0).toBe(true);
          expect(bench.earlyDeletions()).toBe(0);
          // A token that two runs lost from the ledger counts for none of them: it expires.
          expect(bench.ledger().length).toBeLessThanOrEqual(12);
        }
      }),
      { numRuns: 60 },
    );
  });
});

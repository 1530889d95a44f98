import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSilence, type Silence, sideBySide } from '../../../shared/base/side-by-side.ts';
import { finished } from '../../support/item-faults.ts';

type Behaviour = 'answers' | 'fails' | 'throws' | 'hangs';

interface Run {
  readonly behaviours: readonly Behaviour[];
  readonly atOnce?: number;
  readonly togetherMilliseconds?: number;
  readonly silence?: Silence<number>;
}

/** Calls every item, and moves the clock until all have their result. */
async function run({ behaviours, atOnce = 3, togetherMilliseconds = 1_000_000, silence }: Run) {
  const clock = createVirtualClock();
  const startedAt = clock.now();
  const asked: number[] = [];
  let running = 0;
  let mostRunning = 0;
  const call = (item: number): Promise<string> => {
    asked.push(item);
    const behaviour = behaviours[item];
    if (behaviour === 'throws') throw new Error('thrown');
    if (behaviour === 'hangs') {
      running += 1;
      clock.after(4000, () => {
        running -= 1;
      });
      mostRunning = Math.max(mostRunning, running);
      return new Promise(() => {});
    }
    return behaviour === 'fails' ? Promise.reject(new Error('failed')) : Promise.resolve(`answer ${item}`);
  };
  const items = behaviours.map((_, item) => item);
  const working = sideBySide(items, call, {
    clock,
    atOnce,
    eachMilliseconds: 4000,
    togetherMilliseconds,
    ...(silence && { silence }),
  });
  const results = await finished(clock, working);
  return { results, asked, mostRunning, seconds: (clock.now() - startedAt) / 1000 };
}

describe('calls side by side', () => {
  it('are all made, whichever of them fail, throw or hang', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<Behaviour>('answers', 'fails', 'throws', 'hangs'), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (behaviours, atOnce) => {
          const { results, mostRunning, seconds } = await run({ behaviours, atOnce });
          expect(results.map(({ item }) => item)).toEqual(behaviours.map((_, item) => item));
          for (const [item, behaviour] of behaviours.entries())
            expect(results[item]).toMatchObject(
              behaviour === 'answers'
                ? { status: 'fulfilled', value: `answer ${item}` }
                : {
                    status: 'rejected',
                    reason: {
                      message: { fails: 'failed', throws: 'thrown', hangs: 'no answer within 4 s' }[
                        behaviour
                      ],
                    },
                  },
            );
          expect(mostRunning).toBeLessThanOrEqual(atOnce);
          const hanging = behaviours.filter((behaviour) => behaviour === 'hangs').length;
          expect(seconds).toBeLessThanOrEqual(4 * Math.ceil(hanging / atOnce) + 4);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('end together in time, and name the items that they did not reach', async () => {
    const behaviours: Behaviour[] = ['hangs', 'hangs', 'hangs', 'answers'];
    const { results, seconds } = await run({ behaviours, atOnce: 1, togetherMilliseconds: 6000 });
    expect(
      results.map((result) => (result.status === 'rejected' ? String(result.reason) : result.value)),
    ).toEqual([
      'NoAnswerInTimeError: no answer within 4 s',
      'NoAnswerInTimeError: no answer within 2 s',
      'NoAnswerInTimeError: not asked: the calls before it have used the 6 s of all',
      'NoAnswerInTimeError: not asked: the calls before it have used the 6 s of all',
    ]);
    expect(seconds).toBeLessThanOrEqual(7);
  });

  it('reach every item that answers within as many runs as silent items fill', async () => {
    const silence = createSilence<number>(String);
    const behaviours: Behaviour[] = ['hangs', 'hangs', 'answers', 'answers'];
    const inTime = { behaviours, atOnce: 1, togetherMilliseconds: 8000, silence };
    expect((await run(inTime)).asked).toEqual([0, 1]);
    expect((await run(inTime)).asked).toEqual([2, 3, 0, 1]);
  });
});

describe('the silent items that are remembered', () => {
  it('are forgotten once they answer, and beyond a number the oldest are', () => {
    const { silentLast, note } = createSilence<string>(String, 2);
    for (const item of ['a', 'b', 'c']) note(item, 'silent');
    expect(silentLast(['a', 'b', 'c', 'd'])).toEqual(['a', 'd', 'b', 'c']);
    note('b', 'answered');
    expect(silentLast(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
    note('d', 'not-asked');
    expect(silentLast(['a', 'c', 'd'])).toEqual(['d', 'a', 'c']);
  });
});

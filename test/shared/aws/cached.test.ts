import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { describe, expect, it } from 'vitest';
import { cached } from '../../../shared/aws/cached.ts';

/** A source whose answer changes, and that may refuse. */
function createSource() {
  const clock = createManualClock();
  let now = clock.now();
  let answer: string | Error = 'one';
  let reads = 0;
  const read = cached({
    clock: { now: () => now },
    seconds: 60,
    keeps: (value) => value !== 'gone',
    read: async (key: string) => {
      reads += 1;
      if (answer instanceof Error) throw answer;
      return answer === 'gone' ? answer : `${key} ${answer}`;
    },
  });
  return {
    read,
    reads: () => reads,
    now: () => now,
    answers: (next: string | Error) => void (answer = next),
    pass: (seconds: number) => void (now += seconds * 1000),
  };
}

const throttled = new Error('throttled');

describe('a cached answer', () => {
  it('is used for its time, for each key, and then read again', async () => {
    const { read, reads, answers, pass } = createSource();
    expect([await read('a'), await read('b')]).toEqual(['a one', 'b one']);
    answers('two');
    pass(59);
    expect(await read('a')).toBe('a one');
    pass(1);
    expect([await read('a'), reads()]).toEqual(['a two', 3]);
  });

  it('is read again for a caller that needs a newer one', async () => {
    const { read, answers, pass, now } = createSource();
    await read('a');
    answers('two');
    pass(1);
    expect(await read('a', now() - 1000)).toBe('a one');
    expect(await read('a', now())).toBe('a two');
  });

  it('is never used after its time, also if the source throttles then', async () => {
    const { read, answers, pass } = createSource();
    await read('a');
    answers(throttled);
    pass(60);
    await expect(read('a')).rejects.toThrow('throttled');
    answers('two');
    expect(await read('a')).toBe('a two');
  });

  it('is not kept if the caller does not want it kept, such as one that shows nothing', async () => {
    const { read, reads, answers } = createSource();
    answers('gone');
    expect([await read('a'), await read('a'), reads()]).toEqual(['gone', 'gone', 2]);
    answers('one');
    expect(await read('a')).toBe('a one');
  });

  it('is shared by callers that come while it is read, and so is a failure, which is not kept', async () => {
    const { read, reads, answers } = createSource();
    answers(throttled);
    const both = await Promise.allSettled([read('a'), read('a')]);
    expect([both.map(({ status }) => status), reads()]).toEqual([['rejected', 'rejected'], 1]);
    answers('one');
    expect(await Promise.all([read('a'), read('a')])).toEqual(['a one', 'a one']);
    expect(reads()).toBe(2);
  });

  it.each([
    ['fails', (read: PromiseWithResolvers<string>) => read.reject(throttled)],
    ['shows nothing', (read: PromiseWithResolvers<string>) => read.resolve('gone')],
  ])('stays if an older read ends after it and %s', async (_, end) => {
    const asked: PromiseWithResolvers<string>[] = [];
    let now = 0;
    const read = cached({
      clock: { now: () => now },
      seconds: 60,
      keeps: (value) => value !== 'gone',
      read: () => {
        const one = Promise.withResolvers<string>();
        asked.push(one);
        return one.promise;
      },
    });
    const older = read('a');
    now = 1000;
    const newer = read('a', now);
    asked[1]?.resolve('new');
    await newer;
    if (asked[0]) end(asked[0]);
    await Promise.allSettled([older]);
    const again = read('a');
    expect(asked).toHaveLength(2);
    expect(await again).toBe('new');
  });

  it('of a clock that was set back by an hour since is read again', async () => {
    const { read, answers, pass } = createSource();
    await read('a');
    answers('two');
    pass(-3600);
    expect(await read('a')).toBe('a two');
  });
});

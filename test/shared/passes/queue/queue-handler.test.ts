import { describe, expect, it } from 'vitest';
import type { LeavingNotice } from '../../../../shared/passes/leaving-notice.ts';
import { again, done, type Outcome } from '../../../../shared/passes/outcome.ts';
import { NotABatchError, type Subject } from '../../../../shared/passes/queue/batch.ts';
import {
  firstInstance,
  secondInstance,
  spotNotice,
  sweptNotice,
  terminatingNotice,
  thirdInstance,
} from '../../../support/notices.ts';
import { createPassWorld, type PassWorldOptions } from '../../../support/pass-world.ts';

/** A world that records the second and the subject of each pass. */
function createWorld(
  answer: (subject: Subject<LeavingNotice>, count: number) => Outcome | Promise<Outcome>,
  options: Partial<PassWorldOptions> = {},
) {
  const passes: { readonly at: number; readonly subject: Subject<LeavingNotice> }[] = [];
  const world = createPassWorld({
    ...options,
    pass: async (subject) => {
      passes.push({ at: world.clock.now() / 1000, subject });
      return await answer(subject, passes.length);
    },
  });
  const startedAt = world.clock.now() / 1000;
  const gaps = () => passes.map(({ at }, index) => Math.round(at - (passes[index - 1]?.at ?? startedAt)));
  return { ...world, passes, gaps };
}

describe('an outcome', () => {
  it('`done` deletes the message', async () => {
    const world = createWorld(() => done('nothing is left'));
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(1);
    expect(world.passes).toHaveLength(1);
    expect(world.waiting()).toEqual([]);
    expect(world.calls).toEqual([]);
  });

  it('`again` returns the same message after the given seconds, with one call', async () => {
    const world = createWorld((_, count) => (count < 3 ? again(7, 'pods are leaving') : done('gone')));
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(30);
    expect(world.gaps()).toEqual([0, 7, 7]);
    expect(world.calls).toEqual(['ChangeMessageVisibilityBatch', 'ChangeMessageVisibilityBatch']);
    expect(world.waiting()).toEqual([]);
  });

  it('`again` waits at most 20 seconds, so that a spot warning behind it is not delayed', async () => {
    const world = createWorld(() => again(3600, 'a budget holds'));
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(45);
    expect(world.gaps()).toEqual([0, 20, 20]);
  });

  it.each([0, -5, Number.NaN])('`again` after %s seconds waits one second', async (seconds) => {
    const world = createWorld(() => again(seconds, 'soon'));
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(2);
    expect(world.gaps()).toEqual([0, 1, 1]);
  });
});

describe('the notices of a subject', () => {
  it('that arrive together are one pass with the tightest deadline', async () => {
    const world = createWorld(() => done('gone'));
    world.send(terminatingNotice(firstInstance));
    world.send(spotNotice(firstInstance, '2026-01-01T00:02:00.000Z'));
    world.send(spotNotice(firstInstance, '2026-01-01T00:01:30.000Z'));
    world.lambda.start();
    await world.elapse(1);
    expect(world.passes).toHaveLength(1);
    expect(world.passes[0]?.subject).toMatchObject({
      id: firstInstance,
      deadline: Date.parse('2026-01-01T00:01:30.000Z'),
      notices: [{ cause: 'terminating' }, { cause: 'spot-interruption' }, { cause: 'spot-interruption' }],
    });
    expect(world.waiting()).toEqual([]);
  });

  it('are both kept while the pass returns `again`', async () => {
    const world = createWorld(() => again(5, 'pods are leaving'));
    world.send(terminatingNotice(firstInstance));
    world.send(spotNotice(firstInstance, '2026-01-01T00:02:00.000Z'));
    world.lambda.start();
    await world.elapse(6);
    expect(world.passes.map(({ subject }) => subject.notices.length)).toEqual([2, 2]);
    expect(world.waiting()).toHaveLength(2);
  });

  it('with the same reason become one, the earliest, because its time is running', async () => {
    const world = createWorld(() => again(5, 'pods are leaving'));
    const times = ['2026-01-01T00:10:00.000Z', '2026-01-01T00:05:00.000Z', '2026-01-01T00:15:00.000Z'];
    for (const time of times) world.send(sweptNotice(firstInstance, time));
    world.lambda.start();
    await world.elapse(1);
    expect(world.waiting()).toHaveLength(1);
    expect(world.waiting()[0]).toContain(times[1]);
  });

  it('include a spot warning within 20 seconds while a long drain waits', async () => {
    const world = createWorld(() => again(3600, 'a budget holds'));
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(30);
    world.send(spotNotice(firstInstance, '2026-01-01T00:02:30.000Z'));
    await world.elapse(20);
    expect(world.passes.at(-1)?.subject.notices.map(({ cause }) => cause)).toEqual([
      'terminating',
      'spot-interruption',
    ]);
    expect(world.passes.at(-1)?.subject.deadline).toBe(Date.parse('2026-01-01T00:02:30.000Z'));
  });

  it('are never in two passes at the same time', async () => {
    let running = 0;
    let most = 0;
    const world = createWorld(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resume) => world.clock.after(3000, resume));
      running -= 1;
      return again(1, 'pods are leaving');
    });
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(1);
    for (let second = 0; second < 20; second += 1) {
      world.send(sweptNotice(firstInstance, new Date(world.clock.now()).toISOString()));
      await world.elapse(1);
    }
    expect(world.passes.length).toBeGreaterThan(3);
    expect(most).toBe(1);
  });
});

describe('a batch of several subjects', () => {
  it('gives each its own pass and its own outcome', async () => {
    const answers: Record<string, () => Outcome> = {
      [firstInstance]: () => done('gone'),
      [secondInstance]: () => again(9, 'pods are leaving'),
      [thirdInstance]: () => {
        throw new Error('the API server is away');
      },
    };
    const world = createWorld(({ id }) => answers[id]?.() ?? done('unknown'));
    for (const id of [firstInstance, secondInstance, thirdInstance]) world.send(terminatingNotice(id));
    world.lambda.start();
    await world.elapse(0);
    expect(world.reports).toHaveLength(1);
    expect(world.outcomes()).toEqual(['succeeded']);
    expect(world.calls).toEqual(['ChangeMessageVisibilityBatch']);
    expect(world.waiting()).toHaveLength(2);
  });
});

describe('a pass that fails', () => {
  it('is tried again with a growing wait, for as long as it takes', async () => {
    const world = createWorld((_, count) => {
      if (count < 8) throw new Error('the API server is away', { cause: new Error('ECONNREFUSED') });
      return done('gone');
    });
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(100);
    expect(world.gaps()).toEqual([0, 1, 2, 4, 8, 10, 10, 10]);
    expect(world.waiting()).toEqual([]);
    expect(world.deadLetters()).toEqual([]);
  });

  it('is logged with its cause and counted', async () => {
    const world = createWorld(() => {
      throw new Error('the API server is away', { cause: new Error('ECONNREFUSED') });
    });
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(0);
    expect(world.passLines()[0]).toMatchObject({
      level: 'error',
      subject: firstInstance,
      outcome: 'again',
      error: { message: 'the API server is away', cause: { message: 'ECONNREFUSED' } },
    });
    expect(world.lines).toContainEqual(expect.objectContaining({ Cluster: 'drover', FailedPasses: 1 }));
  });
});

describe('the lines of a pass', () => {
  it('are one for the log and those of its metrics', async () => {
    const world = createWorld(() =>
      again(9, 'pods are leaving', { podsEvicted: 3, podsForced: 1, waitsFor: 'budget' }),
    );
    world.send(spotNotice(firstInstance, '2026-01-01T00:00:00.000Z'));
    const late = (world.clock.now() - Date.parse('2026-01-01T00:00:00.000Z')) / 1000;
    world.lambda.start();
    await world.elapse(0);
    expect(world.passLines()).toEqual([
      expect.objectContaining({
        function: 'node-leaving',
        work: 'node-leaving',
        subject: firstInstance,
        causes: ['spot-interruption'],
        messages: 1,
        receiveCount: 1,
        outcome: 'again',
        reason: 'pods are leaving',
        afterSeconds: 9,
        facts: { podsEvicted: 3, podsForced: 1, waitsFor: 'budget' },
        seconds: 0,
      }),
    ]);
    expect(world.lines).toContainEqual(
      expect.objectContaining({
        PodsEvicted: 3,
        PodsForced: 1,
        ...(late > 0 && { DeadlineOverdueSeconds: late }),
      }),
    );
    expect(world.lines).toContainEqual(expect.objectContaining({ Cause: 'budget', Waits: 1 }));
  });
});

describe('the handler', () => {
  it('rejects only an event that is not a batch', async () => {
    const world = createWorld(() => done('gone'));
    const outcome = await world.lambda.invoke('worker', { hello: 'world' });
    expect(JSON.stringify(outcome)).toContain(new NotABatchError().name);
  });
});

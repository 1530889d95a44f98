import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import { leavingMessage } from '../../../../shared/passes/leaving-message.ts';
import { again, done, type Outcome } from '../../../../shared/passes/outcome.ts';
import { firstInstance, secondInstance, spotNotice, terminatingNotice } from '../../../support/notices.ts';
import { createPassWorld } from '../../../support/pass-world.ts';

const newer = JSON.stringify({ version: 4, work: 'node-leaving', notice: { novel: true }, hop: 0 });

/** Every subject is done after this many passes have ended. */
function createWorld(passesUntilDone = 1) {
  const passes = new Map<string, number>();
  const world = createPassWorld({
    pass: async ({ id }): Promise<Outcome> => {
      const count = (passes.get(id) ?? 0) + 1;
      passes.set(id, count);
      return count < passesUntilDone ? again(5, 'pods are leaving') : done('gone');
    },
  });
  return { ...world, passes };
}

describe('a message of a newer version', () => {
  it('is kept and never parked, and does not delay other messages', async () => {
    const world = createWorld();
    world.sendBody(newer, firstInstance, 'newer');
    world.send(spotNotice(firstInstance, '2026-01-01T00:02:00.000Z'));
    world.lambda.start();
    await world.elapse(6 * 3600);
    expect(world.passes.get(firstInstance)).toBe(1);
    expect(world.deadLetters()).toEqual([]);
    expect(world.waiting()).toHaveLength(1);
    expect(JSON.parse(world.waiting()[0] ?? '')).toMatchObject({ version: 4, notice: { novel: true } });
  });

  it('does not block its group for longer than a spot warning can wait', async () => {
    const world = createWorld();
    world.sendBody(newer, firstInstance, 'newer');
    world.lambda.start();
    await world.elapse(5);
    world.send(spotNotice(firstInstance, '2026-01-01T00:02:00.000Z'));
    await world.elapse(16);
    expect(world.passes.get(firstInstance)).toBe(1);
  });
});

describe('poison', () => {
  const foreign = leavingMessage(terminatingNotice(secondInstance), '2026-01-01T00:00:00.000Z').body;

  it.each([
    ['a text that is not a message', 'hello'],
    ['a message in the group of another subject', foreign],
  ])('as %s is parked once, and the subject has its pass', async (_, body) => {
    const world = createWorld();
    world.sendBody(body, firstInstance, 'poison');
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(60);
    expect(world.deadLetters()).toEqual([body]);
    expect(world.passes).toEqual(new Map([[firstInstance, 1]]));
    expect(world.waiting()).toEqual([]);
    expect(world.lines).toContainEqual(expect.objectContaining({ Parked: 1 }));
  });

  it('stays in its queue if it cannot be parked', async () => {
    const world = createWorld();
    world.sendBody('hello', firstInstance, 'poison');
    world.failCalls(({ operation }) =>
      operation === 'SendMessageBatch' ? new AwsError({ code: 'AccessDenied', message: 'no' }) : undefined,
    );
    world.lambda.start();
    await world.elapse(60);
    expect(world.waiting()).toEqual(['hello']);
    world.failCalls(() => undefined);
    await world.elapse(60);
    expect(world.deadLetters()).toEqual(['hello']);
    expect(world.waiting()).toEqual([]);
  });
});

describe('a visibility that cannot be set', () => {
  it('is tried once more', async () => {
    const world = createWorld(2);
    let failures = 1;
    world.failCalls(() =>
      failures-- > 0 ? new AwsError({ code: 'AccessDenied', message: 'no', statusCode: 403 }) : undefined,
    );
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(6);
    expect(world.passes.get(firstInstance)).toBe(2);
  });

  it('leaves the message to the timeout of its queue', async () => {
    const world = createWorld(2);
    world.failCalls(() => new AwsError({ code: 'AccessDenied', message: 'no', statusCode: 403 }));
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(59);
    expect(world.passes.get(firstInstance)).toBe(1);
    await world.elapse(2);
    expect(world.passes.get(firstInstance)).toBe(2);
    expect(world.waiting()).toEqual([]);
  });
});

describe('a function that is killed', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'after its call number %i loses nothing and parks nothing twice',
    async (call) => {
      const world = createWorld(3);
      world.send(terminatingNotice(firstInstance));
      world.send(spotNotice(firstInstance, '2026-01-01T00:02:00.000Z'));
      world.send(terminatingNotice(secondInstance));
      world.sendBody('hello', secondInstance, 'poison');
      world.killAfter(call);
      world.lambda.start();
      await world.elapse(600);
      expect([...world.passes.values()].every((count) => count >= 3)).toBe(true);
      expect(world.passes.size).toBe(2);
      expect(world.waiting()).toEqual([]);
      expect(world.deadLetters()).toEqual(['hello']);
      // The numbers are of calls: if the number of calls changes, the test fails instead of missing a kill point.
      expect(world.calls.length).toBeLessThanOrEqual(9);
    },
  );

  it('in the middle of a pass gets its messages back after the timeout of the queue', async () => {
    let count = 0;
    const world = createPassWorld({
      pass: () => {
        count += 1;
        return count === 1 ? new Promise<never>(() => {}) : Promise.resolve(done('gone'));
      },
    });
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(70);
    expect(world.outcomes()).toEqual(['timed-out', 'succeeded']);
    expect(world.waiting()).toEqual([]);
  });
});

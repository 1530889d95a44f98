import type { FunctionWiring } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import { leavingMessage } from '../../../../shared/passes/leaving-message.ts';
import { renewedBody } from '../../../../shared/passes/message-format.ts';
import { again } from '../../../../shared/passes/outcome.ts';
import { mostHops, renewOrKeep } from '../../../../shared/passes/queue/finish-group.ts';
import { createMemoryQueue } from '../../../support/memory-queue.ts';
import { firstInstance, terminatingNotice } from '../../../support/notices.ts';
import { createPassWorld } from '../../../support/pass-world.ts';
import { createLines, record, startedAt } from '../../../support/queue-lines.ts';

const createWorld = (recursiveLoop?: FunctionWiring['recursiveLoop']) =>
  createPassWorld({ pass: async () => again(20, 'a budget holds'), ...(recursiveLoop && { recursiveLoop }) });

const hopsIn = (bodies: readonly string[]): unknown[] =>
  bodies.map((body) => (JSON.parse(body) as { hop: unknown }).hop);

describe('a long-lived message', () => {
  it('is replaced by a fresh copy before the queue would park it', async () => {
    const world = createWorld();
    world.send(terminatingNotice(firstInstance));
    await world.handOut(899);
    world.lambda.start();
    await world.elapse(1);
    expect(hopsIn(world.waiting())).toEqual([1]);
    expect(world.passLines().map(({ receiveCount }) => receiveCount)).toEqual([900, 1]);
  });

  it('survives more passes than the maximal receive count of a queue', async () => {
    const world = createWorld();
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(12 * 3600);
    expect(hopsIn(world.waiting())).toEqual([2]);
    expect(world.deadLetters()).toEqual([]);
    expect(world.passLines().length).toBeGreaterThan(2000);
  });

  it('is a single message again if the function died between sending the copy and deleting the old one', async () => {
    const world = createWorld();
    world.send(terminatingNotice(firstInstance));
    await world.handOut(899);
    world.killAfter(1);
    world.lambda.start();
    await world.elapse(1);
    expect(world.waiting()).toHaveLength(2);
    await world.elapse(200);
    expect(world.waiting()).toHaveLength(1);
  });

  it('is kept if the copy cannot be sent', async () => {
    const world = createWorld();
    world.failCalls(({ operation }) =>
      operation === 'SendMessageBatch' ? new AwsError({ code: 'AccessDenied', message: 'no' }) : undefined,
    );
    world.send(terminatingNotice(firstInstance));
    await world.handOut(899);
    world.lambda.start();
    await world.elapse(60);
    expect(hopsIn(world.waiting())).toEqual([0]);
    world.failCalls(() => undefined);
    await world.elapse(20);
    expect(hopsIn(world.waiting())).toEqual([1]);
  });

  it('has copies with different ids, because SQS would drop a second copy even if the first was absorbed', async () => {
    const { messages, send } = createMemoryQueue();
    const { log } = createLines(startedAt).world;
    const body = leavingMessage(terminatingNotice(firstInstance), '2026-01-01T00:00:00.000Z').body;
    const queue = { send, changeVisibility: async () => [], park: async () => [] };
    for (const receiveCount of [900, 901])
      await renewOrKeep(record({ body, receiveCount, groupId: firstInstance }), 20, { queue, log });
    expect(messages).toHaveLength(2);
  });

  it('that never ends is parked by the queue, with a log line', async () => {
    const world = createWorld();
    const { body } = leavingMessage(terminatingNotice(firstInstance), '2026-01-01T00:00:00.000Z');
    world.sendBody(renewedBody(body, mostHops), firstInstance, 'endless');
    await world.handOut(998);
    world.lambda.start();
    await world.elapse(60);
    expect(hopsIn(world.deadLetters())).toEqual([mostHops]);
    expect(world.lines).toContainEqual(expect.objectContaining({ message: 'a message never ends' }));
  });
});

describe("Lambda's stop of recursive loops", () => {
  /** Renews the message this many times, each time after 899 receives. */
  const renew = async (world: ReturnType<typeof createWorld>, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await world.handOut(899);
      world.lambda.start();
      await world.elapse(0);
      world.lambda.stop();
      await world.elapse(20);
    }
  };

  it('ends a chain of renewals with `Terminate`', async () => {
    const world = createWorld('Terminate');
    world.send(terminatingNotice(firstInstance));
    await renew(world, 20);
    expect(world.outcomes()).toContain('loop-stopped');
  });

  it('does not end a chain with `Allow`', async () => {
    const world = createWorld('Allow');
    world.send(terminatingNotice(firstInstance));
    await renew(world, 20);
    expect(world.outcomes()).not.toContain('loop-stopped');
    expect(hopsIn(world.waiting())).toEqual([20]);
  });
});

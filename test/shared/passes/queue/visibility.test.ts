import { AwsError } from '@drover/cloud-sandbox/aws';
import { workerWiring } from '@drover/cloud-sandbox/test/lambda/support/lambda-world.ts';
import { describe, expect, it } from 'vitest';
import { leavingMessage } from '../../../../shared/passes/leaving-message.ts';
import { done } from '../../../../shared/passes/outcome.ts';
import { groupRecords, readBatch, sortGroup } from '../../../../shared/passes/queue/batch.ts';
import { urgentRecords } from '../../../../shared/passes/queue/visibility.ts';
import { firstInstance, secondInstance, spotNotice, terminatingNotice } from '../../../support/notices.ts';
import { createPassWorld } from '../../../support/pass-world.ts';
import { readLeavingMessage } from '../../../support/read-leaving-message.ts';

/** The first pass over each subject never ends; its function has 10 seconds and its queue 60. */
function createHangingWorld() {
  const passes: { readonly id: string; readonly at: number }[] = [];
  const world = createPassWorld({
    pass: async ({ id }) => {
      const isFirst = passes.every((pass) => pass.id !== id);
      passes.push({ id, at: (world.clock.now() - startedAt) / 1000 });
      return isFirst ? await new Promise<never>(() => {}) : done('nothing is left');
    },
  });
  const startedAt = world.clock.now();
  const inSeconds = (seconds: number): string => new Date(startedAt + seconds * 1000).toISOString();
  return { ...world, passes, inSeconds };
}

describe('a pass that is killed', () => {
  it('is retried when its function has ended if the deadline is nearer than the queue’s timeout', async () => {
    const world = createHangingWorld();
    world.send(spotNotice(firstInstance, world.inSeconds(50)));
    world.lambda.start();
    await world.elapse(70);
    expect(world.passes.map(({ at }) => at)).toEqual([0, workerWiring.timeoutSeconds + 5]);
    expect(world.calls).toEqual(['ChangeMessageVisibilityBatch', 'ChangeMessageVisibilityBatch']);
  });

  it('is retried after the queue’s timeout if there is time, and costs no call', async () => {
    const world = createHangingWorld();
    world.send(terminatingNotice(firstInstance));
    world.send(spotNotice(secondInstance, world.inSeconds(3600)));
    world.lambda.start();
    await world.elapse(70);
    expect(world.passes.map(({ at }) => at)).toEqual([0, 0, 60, 60]);
    expect(world.calls).toEqual([]);
  });

  it('shows every message of its group, because a hidden one would block the group', async () => {
    const world = createHangingWorld();
    world.send(spotNotice(firstInstance, world.inSeconds(50)));
    world.send(terminatingNotice(firstInstance));
    world.lambda.start();
    await world.elapse(40);
    expect(world.passes).toHaveLength(2);
    expect(world.waiting()).toEqual([]);
  });

  it('continues if the call is refused, and logs the risk', async () => {
    const world = createHangingWorld();
    world.failCalls(() => new AwsError({ code: 'AccessDenied', message: 'not authorized', statusCode: 403 }));
    world.send(spotNotice(firstInstance, world.inSeconds(50)));
    world.lambda.start();
    await world.elapse(5);
    expect(world.passes).toHaveLength(1);
    expect(world.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringMatching(/returns later/) }),
    );
  });
});

it('an urgent subject returns sooner with all of its messages, also those of the same reason or of a newer version', () => {
  const now = Date.parse('2026-11-21T07:00:00Z');
  const notice = spotNotice(firstInstance, new Date(now + 50_000).toISOString());
  const body = leavingMessage(notice, new Date(now).toISOString()).body;
  const attributes = {
    ApproximateReceiveCount: '1',
    ApproximateFirstReceiveTimestamp: String(now),
    SentTimestamp: String(now),
    MessageGroupId: firstInstance,
  };
  const newer = JSON.stringify({ ...JSON.parse(body), version: 99 });
  const Records = [body, body, newer].map((each, index) => ({
    messageId: `m-${index + 1}`,
    receiptHandle: `r-${index + 1}`,
    body: each,
    attributes,
  }));
  const groups = groupRecords(readBatch({ Records })).map((records) =>
    sortGroup(records, readLeavingMessage),
  );
  expect(groups.map((group) => [group.absorbed.length, group.newer.length])).toEqual([[1, 1]]);
  const context = { awsRequestId: 'r', functionName: 'f', getRemainingTimeInMillis: () => 30_000 };
  const urgent = urgentRecords(groups, context, now);
  expect(urgent.map(({ messageId }) => messageId).toSorted()).toEqual(['m-1', 'm-2', 'm-3']);
});

it('the visibility of an urgent message is shortened before its pass begins, because a killed pass can no longer change it', async () => {
  const order: string[] = [];
  const world = createPassWorld({
    pass: async () => {
      order.push('pass');
      return done('nothing is left');
    },
  });
  world.failCalls(() => {
    order.push('call');
    return undefined;
  });
  const deadline = new Date(world.clock.now() + 50_000).toISOString();
  world.send(spotNotice(firstInstance, deadline));
  world.lambda.start();
  await world.elapse(5);
  expect(order.slice(0, 2)).toEqual(['call', 'pass']);
});

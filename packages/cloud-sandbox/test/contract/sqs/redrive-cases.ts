import { CreateQueueCommand, ListDeadLetterSourceQueuesCommand } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { bodies } from '../../aws/support/queue-fixture.ts';
import { newName } from '../support/new-name.ts';
import { openQueue, openRedrive, receiveCount, type SqsWorld } from './world.ts';

const policy = (deadLetterTargetArn: string, maxReceiveCount: unknown = 3) => ({
  RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }),
});

const openFifo = ({ client }: SqsWorld, attributes: Record<string, string>) =>
  client.send(
    new CreateQueueCommand({
      QueueName: `${newName()}.fifo`,
      Attributes: { FifoQueue: 'true', ...attributes },
    }),
  );

/** Dead letters: the developer guide of SQS, "Using dead-letter queues", and SetQueueAttributes, RedrivePolicy. */
export const sqsRedriveCases: Cases<SqsWorld> = {
  'a message goes to the dead-letter queue at the receive after maxReceiveCount': async (world) => {
    const { work, dead } = await openRedrive(world, 2);
    await work.send('poison');
    for (const count of ['1', '2']) {
      expect((await work.receive()).map(receiveCount)).toEqual([count]);
      expect(await dead.receive()).toEqual([]);
      await world.pass(1.5);
    }
    expect(await work.receive()).toEqual([]);
    expect(bodies(await dead.receive())).toEqual(['poison']);
  },
  'a message that is deleted in time never goes to the dead-letter queue': async (world) => {
    const { work, dead } = await openRedrive(world, 1);
    await work.send('good');
    const [message] = await work.receive();
    await work.delete(message);
    await world.pass(1.5);
    expect([await work.receive(), await dead.receive()]).toEqual([[], []]);
  },
  'a change of the visibility timeout does not count as a receive': async (world) => {
    const { work, dead } = await openRedrive(world, 2);
    await work.send('x');
    const [message] = await work.receive();
    for (const seconds of [20, 10, 0]) await work.changeVisibility(message, seconds);
    expect((await work.receive()).map(receiveCount)).toEqual(['2']);
    expect(await dead.receive()).toEqual([]);
  },
  'a dead letter keeps the id and the attributes of the message': async (world) => {
    const { work, dead } = await openRedrive(world, 1);
    const MessageAttributes = { reason: { DataType: 'String', StringValue: 'why' } };
    const sent = await work.send('poison', { MessageAttributes });
    await work.receive();
    await world.pass(1.5);
    await work.receive();
    const [letter] = await dead.receive();
    expect(letter).toMatchObject({ MessageId: sent.MessageId, MessageAttributes });
  },
  // ReceiveMessage, MessageSystemAttributeName: DeadLetterQueueSourceArn.
  'a dead letter names its source queue': async (world) => {
    const { work, dead } = await openRedrive(world, 1);
    await work.send('poison');
    await work.receive();
    await world.pass(1.5);
    await work.receive();
    const [letter] = await dead.receive();
    expect(letter?.Attributes?.DeadLetterQueueSourceArn).toBe(work.arn);
  },
  'a dead-letter queue lists its source queues': async (world) => {
    const { work, dead } = await openRedrive(world, 3);
    const answer = await world.client.send(new ListDeadLetterSourceQueuesCommand({ QueueUrl: dead.url }));
    expect(answer.queueUrls).toEqual([work.url]);
  },
  'an empty redrive policy removes it': async (world) => {
    const { work } = await openRedrive(world, 1);
    await work.set({ RedrivePolicy: '' });
    await work.send('x');
    await work.receive();
    await world.pass(1.5);
    expect(bodies(await work.receive())).toEqual(['x']);
    expect(await work.read()).not.toHaveProperty('RedrivePolicy');
  },
  'a dead-letter queue must exist': async (world) => {
    const work = await openQueue(world);
    await expect(work.set(policy(`${work.arn}-none`))).rejects.toThrow();
  },
  // "The dead-letter queue of a FIFO queue must also be a FIFO queue. Similarly, the dead-letter queue of a standard queue must
  // also be a standard queue."
  'a dead-letter queue must have the same type': async (world) => {
    const standard = await openQueue(world);
    const RedrivePolicy = policy(standard.arn).RedrivePolicy;
    await expect(openFifo(world, { RedrivePolicy })).rejects.toThrow();
  },
  // RedrivePolicy, maxReceiveCount.
  'maxReceiveCount is from 1 to 1,000': async (world) => {
    const dead = await openQueue(world);
    const work = await openQueue(world);
    for (const count of [0, 1001])
      await expect(work.set(policy(dead.arn, count)), String(count)).rejects.toThrow();
    for (const count of [1, 1000]) await work.set(policy(dead.arn, count));
  },
  // RedriveAllowPolicy: redrivePermission denyAll.
  'a dead-letter queue can refuse source queues': async (world) => {
    const dead = await openQueue(world, {
      RedriveAllowPolicy: JSON.stringify({ redrivePermission: 'denyAll' }),
    });
    const work = await openQueue(world);
    await expect(work.set(policy(dead.arn))).rejects.toThrow();
  },
};

import { CreateQueueCommand, GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { bodies } from '../../aws/support/queue-fixture.ts';
import { newName } from '../support/new-name.ts';
import { openQueue, type SqsWorld } from './world.ts';

/** Attributes that queues return and accept: SetQueueAttributes, GetQueueAttributes, CreateQueue, SendMessage. */
export const sqsAttributeCases: Cases<SqsWorld> = {
  'a new queue has the defaults of SQS': async ({ client }) => {
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: newName() }));
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
    expect((await client.send(command)).Attributes).toMatchObject({
      VisibilityTimeout: '30',
      DelaySeconds: '0',
      ReceiveMessageWaitTimeSeconds: '0',
      MessageRetentionPeriod: '345600',
    });
  },
  // SetQueueAttributes, MaximumMessageSize.
  'a message can have 1 MiB by default': async (world) => {
    const work = await openQueue(world);
    expect((await work.read()).MaximumMessageSize).toBe('1048576');
    await work.send('x'.repeat(1_048_576));
    await expect(work.send('x'.repeat(1_048_577))).rejects.toThrow();
  },
  // Developer guide, message attributes: name, type and value are part of the size of a message.
  'attributes count towards the size of a message': async (world) => {
    const work = await openQueue(world);
    await work.send('x'.repeat(1_048_576));
    const MessageAttributes = { k: { DataType: 'String', StringValue: 'v' } };
    await expect(work.send('x'.repeat(1_048_576), { MessageAttributes })).rejects.toThrow();
  },
  'a queue can have a lower size limit': async (world) => {
    const work = await openQueue(world, { MaximumMessageSize: '1024' });
    await work.send('x'.repeat(1024));
    await expect(work.send('x'.repeat(1025))).rejects.toThrow();
  },
  'a queue counts visible, in-flight and delayed messages': async (world) => {
    const work = await openQueue(world);
    for (const body of ['a', 'b', 'c']) await work.send(body);
    await work.send('later', { DelaySeconds: 60 });
    await work.receive({ MaxNumberOfMessages: 1 });
    expect(await work.read()).toMatchObject({
      ApproximateNumberOfMessages: '2',
      ApproximateNumberOfMessagesNotVisible: '1',
      ApproximateNumberOfMessagesDelayed: '1',
    });
  },
  'a single attribute can be read by its name': async (world) => {
    const work = await openQueue(world);
    const read = new GetQueueAttributesCommand({ QueueUrl: work.url, AttributeNames: ['QueueArn'] });
    expect((await world.client.send(read)).Attributes).toEqual({ QueueArn: work.arn });
    expect(work.arn).toMatch(/^arn:aws:sqs:[\w-]+:\d{12}:[\w-]+$/);
  },
  'changing an attribute keeps the others': async (world) => {
    const work = await openQueue(world, { DelaySeconds: '5' });
    await work.set({ VisibilityTimeout: '180' });
    expect(await work.read()).toMatchObject({ VisibilityTimeout: '180', DelaySeconds: '5' });
  },
  // SetQueueAttributes: the ranges of each.
  'an attribute out of its range is refused': async (world) => {
    const work = await openQueue(world);
    for (const [name, value] of [
      ['VisibilityTimeout', '43201'],
      ['DelaySeconds', '901'],
      ['ReceiveMessageWaitTimeSeconds', '21'],
      ['MessageRetentionPeriod', '59'],
    ] as const)
      await expect(work.set({ [name]: value }), name).rejects.toThrow();
  },
  'an unknown attribute is refused': async (world) => {
    const work = await openQueue(world);
    await expect(work.set({ Colour: 'red' })).rejects.toMatchObject({ name: 'InvalidAttributeName' });
  },
  'creating an existing queue is refused with other attributes': async ({ client }) => {
    const QueueName = newName();
    const make = (VisibilityTimeout: string) =>
      client.send(new CreateQueueCommand({ QueueName, Attributes: { VisibilityTimeout } }));
    const { QueueUrl } = await make('60');
    expect((await make('60')).QueueUrl).toBe(QueueUrl);
    await expect(make('61')).rejects.toMatchObject({ name: 'QueueNameExists' });
  },
  'a name has at most 80 letters, digits, - and _': async ({ client }) => {
    for (const QueueName of ['a.b', 'a b', 'x'.repeat(81)])
      await expect(client.send(new CreateQueueCommand({ QueueName })), QueueName).rejects.toThrow();
  },
  'a receive asks for one to ten messages': async (world) => {
    const work = await openQueue(world);
    for (const count of [0, 11]) await expect(work.receive({ MaxNumberOfMessages: count })).rejects.toThrow();
    await work.send('x');
    expect(bodies(await work.receive({ MaxNumberOfMessages: 10 }))).toEqual(['x']);
  },
  // SendMessage, MessageBody.
  'a character outside XML is refused': async (world) => {
    const work = await openQueue(world);
    await expect(work.send('a\u0000b')).rejects.toMatchObject({ name: 'InvalidMessageContents' });
    await work.send('a\tb é 漢 🙂');
    expect(bodies(await work.receive())).toEqual(['a\tb é 漢 🙂']);
  },
  'an empty message is refused': async (world) => {
    const work = await openQueue(world);
    await expect(work.send('')).rejects.toThrow();
  },
};

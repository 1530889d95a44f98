import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { bodies } from '../../aws/support/queue-fixture.ts';
import { sqsAttributeCases } from './attribute-cases.ts';
import { sqsBatchCases } from './batch-cases.ts';
import { sqsRedriveCases } from './redrive-cases.ts';
import { openQueue, receiveCount, type SqsWorld } from './world.ts';

/** Messages, when they are seen: the API reference and the developer guide of SQS. */
const sqsVisibilityCases: Cases<SqsWorld> = {
  'a received message is hidden, and returns with a higher receive count': async (world) => {
    const work = await openQueue(world, { VisibilityTimeout: '1' });
    await work.send('x');
    const [first] = await work.receive();
    expect([first?.Body, receiveCount(first)]).toEqual(['x', '1']);
    expect(await work.receive()).toEqual([]);
    await world.pass(1.5);
    const [again] = await work.receive();
    expect([again?.Body, receiveCount(again)]).toEqual(['x', '2']);
    expect(again?.MessageId).toBe(first?.MessageId);
    expect(again?.ReceiptHandle).not.toBe(first?.ReceiptHandle);
  },
  'a receive can override the visibility timeout of the queue': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    await work.receive({ VisibilityTimeout: 1 });
    await world.pass(1.5);
    expect(bodies(await work.receive())).toEqual(['x']);
  },
  'a change of the visibility timeout counts from now': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await work.changeVisibility(message, 2);
    await world.pass(1);
    expect(await work.receive()).toEqual([]);
    await world.pass(1.5);
    expect(bodies(await work.receive())).toEqual(['x']);
  },
  'a visibility timeout of 0 makes the message visible at once': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await work.changeVisibility(message, 0);
    expect((await work.receive()).map(receiveCount)).toEqual(['2']);
  },
  'a longer visibility timeout overrides that of the queue': async (world) => {
    const work = await openQueue(world, { VisibilityTimeout: '1' });
    await work.send('x');
    const [message] = await work.receive();
    await work.changeVisibility(message, 30);
    await world.pass(1.5);
    expect(await work.receive()).toEqual([]);
  },
  // ChangeMessageVisibility: "Valid values range: 0 to 43200."
  'a visibility timeout is at most twelve hours': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await expect(work.changeVisibility(message, 43_201)).rejects.toThrow();
    await work.changeVisibility(message, 43_100);
  },
  'a negative visibility timeout is refused': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await expect(work.changeVisibility(message, -1)).rejects.toThrow();
  },
  'an invalid receipt handle is refused': async (world) => {
    const work = await openQueue(world);
    const message = { ReceiptHandle: 'made-up' };
    await expect(work.changeVisibility(message, 10)).rejects.toMatchObject({
      name: 'ReceiptHandleIsInvalid',
    });
    await expect(work.delete(message)).rejects.toMatchObject({ name: 'ReceiptHandleIsInvalid' });
  },
  // ChangeMessageVisibility, MessageNotInflight; AWS is also seen to answer InvalidParameterValue.
  'the visibility timeout of a visible message cannot be changed': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await work.changeVisibility(message, 0);
    await expect(work.changeVisibility(message, 10)).rejects.toThrow();
  },
  'a deleted message is not received again': async (world) => {
    const work = await openQueue(world, { VisibilityTimeout: '1' });
    await work.send('x');
    const [message] = await work.receive();
    await work.delete(message);
    await world.pass(1.5);
    expect(await work.receive()).toEqual([]);
  },
  // Amazon SQS FAQs: a DeleteMessage of a message that was deleted before is answered as a success.
  'deleting a message again succeeds': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await work.delete(message);
    await work.delete(message);
  },
  'a message is invisible until its delay ends': async (world) => {
    const work = await openQueue(world);
    await work.send('later', { DelaySeconds: 2 });
    await work.send('now');
    expect(bodies(await work.receive())).toEqual(['now']);
    await world.pass(2.5);
    expect(bodies(await work.receive())).toEqual(['later']);
  },
  'the delay of a queue applies to messages without their own': async (world) => {
    const work = await openQueue(world, { DelaySeconds: '2' });
    await work.send('later');
    await work.send('now', { DelaySeconds: 0 });
    expect(bodies(await work.receive())).toEqual(['now']);
    await world.pass(2.5);
    expect(bodies(await work.receive())).toEqual(['later']);
  },
  'a delay is at most 15 minutes': async (world) => {
    const work = await openQueue(world);
    await expect(work.send('x', { DelaySeconds: 901 })).rejects.toThrow();
    await work.send('x', { DelaySeconds: 900 });
  },
};

/** Standard queues. */
export const sqsCases: Cases<SqsWorld> = {
  ...sqsVisibilityCases,
  ...sqsBatchCases,
  ...sqsRedriveCases,
  ...sqsAttributeCases,
};

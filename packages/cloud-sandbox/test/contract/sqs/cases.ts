import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { bodies } from '../../aws/support/queue-fixture.ts';
import { sqsAttributeCases } from './attribute-cases.ts';
import { sqsBatchCases } from './batch-cases.ts';
import { sqsRedriveCases } from './redrive-cases.ts';
import { openQueue, receiveCount, type SqsWorld } from './world.ts';

/** Messages, when they are seen: the API reference and the developer guide of SQS. */
const sqsVisibilityCases: Cases<SqsWorld> = {
  'a message is hidden from its receive on, and comes back with its count': async (world) => {
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
  'a receive may hide for another time than the queue': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    await work.receive({ VisibilityTimeout: 1 });
    await world.pass(1.5);
    expect(bodies(await work.receive())).toEqual(['x']);
  },
  'a change of visibility counts from now': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await work.changeVisibility(message, 2);
    await world.pass(1);
    expect(await work.receive()).toEqual([]);
    await world.pass(1.5);
    expect(bodies(await work.receive())).toEqual(['x']);
  },
  'a change to nothing shows the message at once': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await work.changeVisibility(message, 0);
    expect((await work.receive()).map(receiveCount)).toEqual(['2']);
  },
  'a longer visibility outlives that of the queue': async (world) => {
    const work = await openQueue(world, { VisibilityTimeout: '1' });
    await work.send('x');
    const [message] = await work.receive();
    await work.changeVisibility(message, 30);
    await world.pass(1.5);
    expect(await work.receive()).toEqual([]);
  },
  // ChangeMessageVisibility: "Valid values range: 0 to 43200."
  'a visibility lasts twelve hours at most': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await expect(work.changeVisibility(message, 43_201)).rejects.toThrow();
    await work.changeVisibility(message, 43_100);
  },
  'a visibility is not less than nothing': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await expect(work.changeVisibility(message, -1)).rejects.toThrow();
  },
  'a handle that is none is refused': async (world) => {
    const work = await openQueue(world);
    const message = { ReceiptHandle: 'made-up' };
    await expect(work.changeVisibility(message, 10)).rejects.toMatchObject({
      name: 'ReceiptHandleIsInvalid',
    });
    await expect(work.delete(message)).rejects.toMatchObject({ name: 'ReceiptHandleIsInvalid' });
  },
  // ChangeMessageVisibility, MessageNotInflight; AWS is also seen to answer InvalidParameterValue.
  'a message that is visible again has no visibility to change': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await work.changeVisibility(message, 0);
    await expect(work.changeVisibility(message, 10)).rejects.toThrow();
  },
  'a deleted message stays away': async (world) => {
    const work = await openQueue(world, { VisibilityTimeout: '1' });
    await work.send('x');
    const [message] = await work.receive();
    await work.delete(message);
    await world.pass(1.5);
    expect(await work.receive()).toEqual([]);
  },
  // Amazon SQS FAQs: a DeleteMessage of a message that was deleted before is answered as a success.
  'to delete a message again is no mistake': async (world) => {
    const work = await openQueue(world);
    await work.send('x');
    const [message] = await work.receive();
    await work.delete(message);
    await work.delete(message);
  },
  'a message waits for its delay before it is seen': async (world) => {
    const work = await openQueue(world);
    await work.send('later', { DelaySeconds: 2 });
    await work.send('now');
    expect(bodies(await work.receive())).toEqual(['now']);
    await world.pass(2.5);
    expect(bodies(await work.receive())).toEqual(['later']);
  },
  'a queue delays what has no delay of its own': async (world) => {
    const work = await openQueue(world, { DelaySeconds: '2' });
    await work.send('later');
    await work.send('now', { DelaySeconds: 0 });
    expect(bodies(await work.receive())).toEqual(['now']);
    await world.pass(2.5);
    expect(bodies(await work.receive())).toEqual(['later']);
  },
  'a delay is 15 minutes at most': async (world) => {
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

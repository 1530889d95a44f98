import { expect, test } from 'vitest';
import { bodies, createSqsFixture, receiveCount } from '../support/queue-fixture.ts';

test('a message is received as sent, with its attributes and their digest', async () => {
  const { queue } = createSqsFixture();
  const inbox = await queue('inbox');
  const body = 'hello & <goodbye> ✓ "quoted"';
  const attributes = {
    kind: { DataType: 'String', StringValue: 'test' },
    bytes: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 1, 254]) },
  };
  const sent = await inbox.send(body, { MessageAttributes: attributes });
  const [received] = await inbox.receive();
  expect(received).toMatchObject({ Body: body, MessageId: sent.MessageId });
  expect(received?.MD5OfBody).toBe(sent.MD5OfMessageBody);
  expect(received?.MD5OfMessageAttributes).toBe(sent.MD5OfMessageAttributes);
  expect(received?.MessageAttributes?.['bytes']?.BinaryValue).toEqual(new Uint8Array([0, 1, 254]));
});

test('the digest of attributes equals that of the SQS developer guide', async () => {
  const { queue } = createSqsFixture();
  const inbox = await queue('inbox');
  const MessageAttributes = { test: { DataType: 'String', StringValue: 'value' } };
  const { MD5OfMessageAttributes } = await inbox.send('x', { MessageAttributes });
  expect(MD5OfMessageAttributes).toBe('9c35d992dee4528f7d20c274d61e16f5');
});

test('a received message is hidden for the visibility timeout and then returns with a higher receive count', async () => {
  const { queue, clock } = createSqsFixture();
  const inbox = await queue('inbox', { VisibilityTimeout: '30' });
  await inbox.send('a');
  const [first] = await inbox.receive();
  expect(receiveCount(first)).toBe(1);
  clock.advance(29);
  expect(await inbox.receive()).toEqual([]);
  clock.advance(1);
  const [second] = await inbox.receive();
  expect(receiveCount(second)).toBe(2);
  expect(second?.ReceiptHandle).not.toBe(first?.ReceiptHandle);
});

test('ChangeMessageVisibility counts from now, and 0 makes the message visible at once', async () => {
  const { queue, clock } = createSqsFixture();
  const inbox = await queue('inbox', { VisibilityTimeout: '30' });
  await inbox.send('a');
  const [first] = await inbox.receive();
  clock.advance(20);
  await inbox.changeVisibility(first, 60);
  clock.advance(59);
  expect(await inbox.receive()).toEqual([]);
  clock.advance(1);
  const [second] = await inbox.receive();
  await inbox.changeVisibility(second, 0);
  expect(await inbox.receive()).toHaveLength(1);
});

test('a message has at most 12 hours of visibility timeout from its receive (SQS developer guide, visibility timeout)', async () => {
  const { queue, clock } = createSqsFixture();
  const inbox = await queue('inbox', { VisibilityTimeout: '43200' });
  await inbox.send('a');
  const [message] = await inbox.receive();
  clock.advance(3600);
  await inbox.changeVisibility(message, 43_200 - 3600);
  await expect(inbox.changeVisibility(message, 43_200 - 3599)).rejects.toThrow(
    'Total VisibilityTimeout for the message is beyond the limit [43200 seconds]',
  );
});

test('the visibility of a message that is not in flight cannot be changed', async () => {
  const { queue, clock } = createSqsFixture();
  const inbox = await queue('inbox', { VisibilityTimeout: '30' });
  await inbox.send('a');
  const [message] = await inbox.receive();
  clock.advance(30);
  await expect(inbox.changeVisibility(message, 10)).rejects.toMatchObject({ name: 'MessageNotInflight' });
});

test('an older receipt handle deletes nothing and causes no error (DeleteMessage)', async () => {
  const { queue, clock, sqs } = createSqsFixture();
  const inbox = await queue('inbox', { VisibilityTimeout: '30' });
  await inbox.send('a');
  const [first] = await inbox.receive();
  clock.advance(30);
  const [second] = await inbox.receive();
  await inbox.delete(first);
  expect(sqs.controls.peek('inbox')).toHaveLength(1);
  await inbox.delete(second);
  expect(sqs.controls.peek('inbox')).toEqual([]);
  await inbox.delete(second);
});

test('a standard queue accepts an expired handle until the message is received again', async () => {
  const { queue, clock, sqs } = createSqsFixture();
  const inbox = await queue('inbox', { VisibilityTimeout: '30' });
  await inbox.send('a');
  const [message] = await inbox.receive();
  clock.advance(3600);
  await inbox.delete(message);
  expect(sqs.controls.peek('inbox')).toEqual([]);
});

test('a handle expires 12 hours after its receive', async () => {
  const { queue, clock } = createSqsFixture();
  const inbox = await queue('inbox');
  await inbox.send('a');
  const [message] = await inbox.receive();
  clock.advance(12 * 3600 + 1);
  await expect(inbox.delete(message)).rejects.toThrow('The receipt handle has expired');
});

test('an unknown receipt handle is invalid', async () => {
  const { queue } = createSqsFixture();
  const inbox = await queue('inbox');
  await expect(inbox.delete({ ReceiptHandle: 'made-up' })).rejects.toMatchObject({
    name: 'ReceiptHandleIsInvalid',
  });
});

test('a delayed message is invisible until its delay ends, and its own delay overrides that of the queue', async () => {
  const { queue, clock, sqs } = createSqsFixture();
  const inbox = await queue('inbox', { DelaySeconds: '10' });
  await inbox.send('queue');
  await inbox.send('own', { DelaySeconds: 3 });
  expect(sqs.controls.peek('inbox').map(({ state }) => state)).toEqual(['delayed', 'delayed']);
  clock.advance(3);
  expect(bodies(await inbox.receive())).toEqual(['own']);
  clock.advance(7);
  expect(bodies(await inbox.receive())).toEqual(['queue']);
  await expect(inbox.send('late', { DelaySeconds: 901 })).rejects.toThrow('between 0 and 900');
});

test('a message is deleted at the end of its retention', async () => {
  const { queue, clock } = createSqsFixture();
  const inbox = await queue('inbox', { MessageRetentionPeriod: '60' });
  await inbox.send('a');
  clock.advance(60);
  expect(await inbox.receive()).toEqual([]);
});

test('a receive returns at most 10 messages, and no more than requested', async () => {
  const { queue } = createSqsFixture();
  const inbox = await queue('inbox');
  for (let index = 0; index < 12; index += 1) await inbox.send(String(index));
  expect(await inbox.receive({ MaxNumberOfMessages: 3 })).toHaveLength(3);
  expect(await inbox.receive()).toHaveLength(9);
  await expect(inbox.receive({ MaxNumberOfMessages: 11 })).rejects.toThrow('Must be between 1 and 10');
});

test('a standard queue delivers a message twice if the simulation is set to do so', async () => {
  const { queue } = createSqsFixture({ duplicateChance: 1 });
  const inbox = await queue('inbox');
  await inbox.send('a');
  expect(bodies(await inbox.receive())).toEqual(['a']);
  expect(bodies(await inbox.receive())).toEqual(['a']);
});

test('a message that is too large or has characters outside XML is refused', async () => {
  const { queue } = createSqsFixture();
  const inbox = await queue('inbox', { MaximumMessageSize: '1024' });
  await expect(inbox.send('x'.repeat(1025))).rejects.toThrow('Message must be shorter than 1024 bytes');
  await expect(inbox.send('bell \u0007')).rejects.toMatchObject({ name: 'InvalidMessageContents' });
});

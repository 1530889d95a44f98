import { expect, test } from 'vitest';
import { eventFor } from '../../../scripts/invoke/event-for.ts';

const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:work.fifo';

test('passes on a queue event unchanged', () => {
  expect(eventFor('{"Records":[]}', queueArn)).toEqual({ Records: [] });
});

test('wraps any other event into a message for a function that reads a queue', () => {
  expect(eventFor('{"source":"aws.ec2"}', queueArn)).toMatchObject({
    Records: [
      {
        body: '{"source":"aws.ec2"}',
        eventSource: 'aws:sqs',
        attributes: { MessageGroupId: 'invoked-by-hand' },
      },
    ],
  });
});

test('passes on text that is not JSON', () => {
  expect(eventFor('not json', queueArn)).toMatchObject({ Records: [{ body: 'not json' }] });
  expect(eventFor('not json', undefined)).toBe('not json');
});

test.each([
  ['an event', '{"time":"2026-11-20T09:14:07Z"}'],
  ['the notification of a hook', '{"Time":"2026-11-20T09:14:07Z"}'],
  ['either in the envelope of SNS', JSON.stringify({ Message: '{"Time":"2026-11-20T09:14:07Z"}' })],
])('sends %s at its own time, so that it is not taken for one from the future', (_, text) => {
  const sentAt = String(Date.parse('2026-11-20T09:14:07Z'));
  expect(eventFor(text, queueArn)).toMatchObject({
    Records: [{ attributes: { SentTimestamp: sentAt, ApproximateFirstReceiveTimestamp: sentAt } }],
  });
});

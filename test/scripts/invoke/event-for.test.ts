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

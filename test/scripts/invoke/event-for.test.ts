import { expect, test } from 'vitest';
import { eventFor } from '../../../scripts/invoke/event-for.ts';

const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:work.fifo';

test('an event of a queue stands as it is', () => {
  expect(eventFor('{"Records":[]}', queueArn)).toEqual({ Records: [] });
});

test('for a function that reads a queue any other event becomes the body of a message', () => {
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

test('what is no JSON is passed on as it stands, to see what becomes of it', () => {
  expect(eventFor('not json', queueArn)).toMatchObject({ Records: [{ body: 'not json' }] });
  expect(eventFor('not json', undefined)).toBe('not json');
});

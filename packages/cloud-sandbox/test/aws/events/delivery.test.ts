import { describe, expect, test } from 'vitest';
import { AwsError } from '../../../src/aws/service.ts';
import { createBus, inbox } from '../support/bus.ts';

const deadLetters = 'arn:aws:sqs:eu-west-1:123456789012:dead-letters';

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-retry-policy.html
describe('a delivery that fails', () => {
  const unavailable = new AwsError({ code: 'ServiceUnavailable', message: 'later', statusCode: 503 });

  test('is retried until the target accepts it', () => {
    const { putTarget, put, advance, delivered, failures } = createBus();
    putTarget();
    failures.set(inbox, unavailable);
    put();
    advance(60);
    expect(delivered).toEqual([]);
    failures.clear();
    advance(300);
    expect(delivered).toHaveLength(1);
  });

  test('goes to the dead-letter queue after its last retry', () => {
    const { events, putTarget, put, advance, delivered, failures } = createBus();
    putTarget({ RetryPolicy: { MaximumRetryAttempts: 2 }, DeadLetterConfig: { Arn: deadLetters } });
    failures.set(inbox, unavailable);
    put();
    advance(60);
    expect(delivered.map(({ targetArn }) => targetArn)).toEqual([deadLetters]);
    expect(delivered[0]?.attributes).toEqual({
      RULE_ARN: 'arn:aws:events:eu-west-1:123456789012:rule/instances',
      TARGET_ARN: inbox,
      ERROR_CODE: 'ERROR_FROM_TARGET',
      ERROR_MESSAGE: 'later',
      EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
      RETRY_ATTEMPTS: '2',
    });
    expect(events.metricsOf('instances')).toMatchObject({ matched: 1, delivered: 0, deadLettered: 1 });
  });

  test('goes to the dead-letter queue if it is too old', () => {
    const { putTarget, put, advance, delivered, failures } = createBus();
    putTarget({ RetryPolicy: { MaximumEventAgeInSeconds: 60 }, DeadLetterConfig: { Arn: deadLetters } });
    failures.set(inbox, unavailable);
    put();
    advance(120);
    expect(delivered[0]?.attributes).toMatchObject({
      EXHAUSTED_RETRY_CONDITION: 'MaximumEventAgeInSeconds',
    });
  });

  test('is sent in the name of the rule, or of the role that the target names', () => {
    const { putTarget, put, advance, delivered } = createBus();
    const rule = {
      service: 'events.amazonaws.com',
      sourceArn: 'arn:aws:events:eu-west-1:123456789012:rule/instances',
    };
    const roleArn = 'arn:aws:iam::123456789012:role/events';
    putTarget();
    put();
    advance(1);
    putTarget({ RoleArn: roleArn });
    put();
    advance(1);
    expect(delivered.map(({ sender }) => sender)).toEqual([rule, { ...rule, roleArn }]);
  });

  test.each([
    ['AWS.SimpleQueueService.NonExistentQueue', 400, 'NO_RESOURCE'],
    ['AccessDenied', 403, 'NO_PERMISSIONS'],
    ['InvalidMessageContents', 400, 'SDK_CLIENT_ERROR'],
  ])('is reported as EventBridge reports %s', (code, statusCode, expected) => {
    const { putTarget, put, advance, delivered, failures } = createBus();
    putTarget({ DeadLetterConfig: { Arn: deadLetters } });
    failures.set(inbox, new AwsError({ code, message: 'no', statusCode }));
    put();
    advance(1);
    expect(delivered[0]?.attributes).toMatchObject({ ERROR_CODE: expected, RETRY_ATTEMPTS: '0' });
  });

  test('goes to the dead-letter queue at once if the target was deleted, and is counted without such a queue', () => {
    const { events, putTarget, put, advance, failures } = createBus();
    putTarget();
    failures.set(inbox, new AwsError({ code: 'AWS.SimpleQueueService.NonExistentQueue', message: 'gone' }));
    put();
    advance(1);
    expect(events.metricsOf('instances')).toMatchObject({ matched: 1, dropped: 1 });
  });
});

test('a disturbed bus loses, repeats and delays events', () => {
  const { events, putTarget, put, advance, delivered } = createBus();
  putTarget();
  events.disturb({ lost: 0.2, duplicated: 0.3, lateSeconds: 30 });
  for (let sent = 0; sent < 200; sent++) put({ sent });
  advance(31);
  const order = delivered.map(({ body }) => (JSON.parse(body) as { detail: { sent: number } }).detail.sent);
  const distinct = new Set(order).size;
  expect(distinct).toBeGreaterThan(130);
  expect(distinct).toBeLessThan(190);
  expect(order.length).toBeGreaterThan(distinct);
  expect(order).not.toEqual([...order].sort((one, other) => one - other));
});

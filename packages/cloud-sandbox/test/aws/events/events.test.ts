import { describe, expect, test } from 'vitest';
import { createBus, inbox } from '../support/bus.ts';

describe('a rule', () => {
  // https://docs.aws.amazon.com/eventbridge/latest/ref/overview-event-structure.html
  test('sends an event that matches to its targets, in the envelope of AWS', () => {
    const { putTarget, put, advance, delivered } = createBus();
    putTarget();
    put({ 'instance-id': 'i-1' });
    advance(1);
    expect(delivered.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'State',
        source: 'aws.ec2',
        account: '123456789012',
        time: '2026-01-05T08:00:00Z',
        region: 'eu-west-1',
        resources: ['arn:x'],
        detail: { 'instance-id': 'i-1' },
      },
    ]);
  });

  test('sends no event that does not match, and none while it is disabled', () => {
    const { events, operations, putTarget, put, advance, delivered } = createBus();
    putTarget();
    events.putAwsEvent({ source: 'aws.health', detailType: 'x', resources: [], detail: {} });
    operations.DisableRule({ Name: 'instances' });
    put();
    advance(1);
    operations.EnableRule({ Name: 'instances' });
    put();
    advance(1);
    expect(delivered).toHaveLength(1);
  });

  // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
  test.each<[string, object, string]>([
    ['a constant', { Input: '{"kind":"wake"}' }, '{"kind":"wake"}'],
    ['a part of the event', { InputPath: '$.detail.instance-id' }, '"i-1"'],
    [
      'the output of its transformer',
      {
        InputTransformer: {
          InputPathsMap: {
            id: '$.detail.instance-id',
            arn: '$.resources[0]',
            detail: '$.detail',
            none: '$.detail.none',
          },
          InputTemplate:
            '{"id": <id>, "text": "<id> of <arn>", "all": <detail>, "rule": "<aws.events.rule-name>", "none": "<none>"}',
        },
      },
      '{"id": "i-1", "text": "i-1 of arn:x", "all": {"instance-id":"i-1"}, "rule": "instances", "none": ""}',
    ],
  ])('can send %s instead', (_what, target, expected) => {
    const { putTarget, put, advance, delivered } = createBus();
    putTarget(target);
    put({ 'instance-id': 'i-1' });
    advance(1);
    expect(delivered[0]?.body).toBe(expected);
  });

  test('names the message group of a FIFO queue', () => {
    const { putTarget, put, advance, delivered } = createBus();
    expect(() => putTarget({ Arn: `${inbox}.fifo` })).toThrow(/SqsParameters/);
    putTarget({ Arn: `${inbox}.fifo`, SqsParameters: { MessageGroupId: 'all' } });
    put();
    advance(1);
    expect(delivered[0]).toMatchObject({ targetArn: `${inbox}.fifo`, group: 'all' });
  });

  test('with a schedule sends an event each time', () => {
    const { operations, advance, delivered } = createBus();
    operations.PutRule({ Name: 'sweep', ScheduleExpression: 'rate(5 minutes)' });
    operations.PutTargets({ Rule: 'sweep', Targets: [{ Id: 'sweep', Arn: inbox }] });
    advance(601);
    expect(delivered.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { source: 'aws.events', 'detail-type': 'Scheduled Event', time: '2026-01-05T08:05:00Z', detail: {} },
      { time: '2026-01-05T08:10:00Z' },
    ]);
  });
});

describe('the operations of EventBridge', () => {
  test('do not delete a rule that has targets, and list rules and targets', () => {
    const { operations, putTarget } = createBus();
    putTarget();
    expect(() => operations.DeleteRule({ Name: 'instances' })).toThrow(
      "Rule can't be deleted since it has targets.",
    );
    expect(operations.ListTargetsByRule({ Rule: 'instances' }).Targets).toMatchObject([
      { Id: 'inbox', Arn: inbox },
    ]);
    expect(operations.ListRuleNamesByTarget({ TargetArn: inbox }).RuleNames).toEqual(['instances']);
    operations.RemoveTargets({ Rule: 'instances', Ids: ['inbox'] });
    operations.DeleteRule({ Name: 'instances' });
    expect(operations.ListRules({}).Rules).toEqual([]);
    expect(() => operations.DescribeRule({ Name: 'instances' })).toThrow(
      expect.objectContaining({ code: 'ResourceNotFoundException' }),
    );
  });

  test('accept events of a customer, and refuse those with a source of AWS', () => {
    const { operations, advance, delivered } = createBus();
    operations.PutRule({ Name: 'mine', EventPattern: '{"source": [{"prefix": ""}]}' });
    operations.PutTargets({ Rule: 'mine', Targets: [{ Id: 'inbox', Arn: inbox }] });
    const answer = operations.PutEvents({
      Entries: [
        { Source: 'shop', DetailType: 'order', Detail: '{"n":1}' },
        { Source: 'aws.ec2', DetailType: 'x', Detail: '{}' },
        { Source: 'shop', DetailType: 'x', Detail: 'no json' },
      ],
    });
    advance(1);
    expect(answer.FailedEntryCount).toBe(2);
    expect(answer.Entries.map(({ ErrorCode }) => ErrorCode)).toEqual([
      undefined,
      'NotAuthorizedForSourceException',
      'MalformedDetail',
    ]);
    expect(delivered).toHaveLength(1);
  });

  test('test a pattern without a rule', () => {
    const { operations } = createBus();
    const Event = '{"source": "aws.ec2"}';
    expect(operations.TestEventPattern({ Event, EventPattern: '{"source": ["aws.ec2"]}' }).Result).toBe(true);
    expect(operations.TestEventPattern({ Event, EventPattern: '{"source": ["aws.s3"]}' }).Result).toBe(false);
  });
});

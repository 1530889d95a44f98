import { describe, expect, it } from 'vitest';
import { readInvocation } from '../../../shared/intake/arrivals.ts';
import { type IntakeReport, reportIntake } from '../../../shared/intake/intake-report.ts';
import { NotABatchError, readBatch } from '../../../shared/passes/queue/batch.ts';
import { createLines, instanceId, notice, startedAt } from '../../support/queue-lines.ts';

const received = (attributes: Record<string, unknown> = {}) => ({
  messageId: 'm-1',
  receiptHandle: 'r-1',
  body: 'hello',
  attributes: {
    ApproximateReceiveCount: '3',
    ApproximateFirstReceiveTimestamp: '2000',
    SentTimestamp: '1000',
    ...attributes,
  },
});

describe('a batch of SQS', () => {
  it('is read with its counts and times as numbers, and its message group if it has one', () => {
    const read = {
      messageId: 'm-1',
      receiptHandle: 'r-1',
      body: 'hello',
      receiveCount: 3,
      firstReceivedAt: 2000,
      sentAt: 1000,
    };
    expect(readBatch({ Records: [received()] })).toEqual([read]);
    expect(readBatch({ Records: [received({ MessageGroupId: 'g' })] })).toEqual([{ ...read, groupId: 'g' }]);
  });

  it.each([
    undefined,
    {},
    { Records: [] },
    { Records: [{ ...received(), body: 7 }] },
    { Records: [received({ SentTimestamp: 'now' })] },
    { Records: [received({ SentTimestamp: '1e3' })] },
    { Records: [received({ ApproximateReceiveCount: ' 3' })] },
    { Records: [received({ ApproximateReceiveCount: '1234567890123456' })] },
  ])('is not %j', (event) => {
    expect(() => readBatch(event)).toThrow(NotABatchError);
  });
});

describe('an invocation of intake', () => {
  it('is a batch from its queue, the envelope from a topic, and the event itself from a hook', () => {
    expect(readInvocation({ Records: [received()] })).toMatchObject({
      kind: 'batch',
      records: [{ body: 'hello' }],
    });
    const ofTopic = {
      Records: [
        { EventSource: 'aws:sns', Sns: { Message: 'a', TopicArn: 'arn' } },
        { EventSource: 'aws:sns', Sns: { Message: 'b', Type: 'Other' } },
      ],
    };
    const invocation = readInvocation(ofTopic);
    if (invocation.kind !== 'direct') throw new Error(invocation.kind);
    expect(invocation.texts.map((text) => JSON.parse(text) as unknown)).toEqual([
      { Message: 'a', TopicArn: 'arn', Type: 'Notification' },
      { Message: 'b', Type: 'Notification' },
    ]);
    expect(readInvocation({ detail: 1 })).toEqual({ kind: 'direct', texts: ['{"detail":1}'] });
  });

  it.each([
    [undefined, ''],
    [null, 'null'],
    ['text', '"text"'],
  ])('with %j is also direct, and is refused by the parser', (event, text) => {
    expect(readInvocation(event)).toEqual({ kind: 'direct', texts: [text] });
  });

  it('with records of another source is refused', () => {
    expect(() => readInvocation({ Records: [{ EventSource: 'aws:kinesis' }] })).toThrow(NotABatchError);
    expect(() => readInvocation({ Records: 'all' })).toThrow(NotABatchError);
  });
});

describe('the report of intake', () => {
  const report: IntakeReport = {
    sent: [notice()],
    woken: [],
    leftAlone: [{ what: 'aws.ec2 X', reason: 'not ours' }],
    poison: [
      { key: 'm-2', reason: 'no id' },
      { key: 'm-3', reason: 'no time' },
    ],
    postponed: [],
    failed: new Map(),
  };

  it('is one line for the batch and one for each parked or failed event, and counts only events that were parked', () => {
    const { world, logged, measured } = createLines(startedAt);
    const failed = new Map([['m-3', new Error('it could not be parked')]]);
    reportIntake({ arrivals: 4, report, failed }, world);
    expect(logged()).toMatchObject([
      {
        level: 'info',
        message: 'intake',
        arrivals: 4,
        sent: [`${instanceId} terminating`],
        leftAlone: ['aws.ec2 X: not ours'],
        parked: 1,
        failed: 1,
      },
      { level: 'warn', messageId: 'm-2', reason: 'no id' },
      { level: 'error', messageId: 'm-3' },
    ]);
    expect(measured()).toEqual([{ Parked: 1 }]);
  });

  it('names the waits that it sent to other queues, if there are any', () => {
    const { world, logged } = createLines(startedAt);
    const wait = {
      key: 'm-4',
      what: 'a launch',
      cause: 'launching',
      instanceId,
      autoScalingGroupName: 'workers',
    } as const;
    const failed = new Map<string, Error>();
    reportIntake({ arrivals: 1, report: { ...report, woken: [wait], poison: [] }, failed }, world);
    reportIntake({ arrivals: 1, report: { ...report, poison: [] }, failed }, world);
    const [woken, none] = logged();
    expect(woken).toMatchObject({ woken: [`${instanceId} launching`] });
    expect(none).not.toHaveProperty('woken');
  });

  it('has no metric if nothing is parked', () => {
    const { world, logged, measured } = createLines(startedAt);
    reportIntake({ arrivals: 1, report: { ...report, poison: [] }, failed: new Map() }, world);
    expect(logged()).toHaveLength(1);
    expect(measured()).toEqual([]);
  });

  it('lists the warnings that wait, and counts them for the alarm', () => {
    const { world, logged, measured } = createLines(startedAt);
    reportIntake(
      { arrivals: 2, report: { ...report, poison: [], postponed: ['m-1', 'm-2'] }, failed: new Map() },
      world,
    );
    expect(logged()).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'warnings wait', messageIds: ['m-1', 'm-2'] }),
    );
    expect(measured()).toContainEqual(expect.objectContaining({ HurriedWaiting: 2 }));
  });
});

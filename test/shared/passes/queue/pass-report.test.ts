import { describe, expect, it } from 'vitest';
import type { LeavingNotice } from '../../../../shared/passes/leaving-notice.ts';
import { again, done } from '../../../../shared/passes/outcome.ts';
import { type EndedPass, reportPass } from '../../../../shared/passes/queue/pass-report.ts';
import { createLines, instanceId, notice, record, startedAt } from '../../../support/queue-lines.ts';

const report = (parts: Partial<EndedPass<LeavingNotice>>, seconds = 2) => {
  const { world, logged, measured } = createLines(startedAt + seconds * 1000);
  reportPass(
    {
      work: 'node-leaving',
      subject: { id: instanceId, notices: [notice()], redelivered: false, receiveCount: 1 },
      records: [record()],
      startedAt,
      outcome: done('gone'),
      ...parts,
    },
    world,
  );
  return { line: logged()[0], lines: logged(), metrics: measured() };
};

describe('the line of a pass', () => {
  it('has the subject, the causes, the outcome and the duration', () => {
    const { line, lines } = report({
      records: [record({ receiveCount: 2 }), record({ receiveCount: 5 }), record({ receiveCount: 3 })],
      outcome: done('gone', { podsEvicted: 3 }),
    });
    expect(lines).toHaveLength(1);
    expect(line).toEqual({
      time: '2026-11-21T07:00:02.000Z',
      level: 'info',
      message: 'pass',
      work: 'node-leaving',
      subject: instanceId,
      causes: ['terminating'],
      messages: 3,
      receiveCount: 5,
      outcome: 'done',
      reason: 'gone',
      facts: { podsEvicted: 3 },
      seconds: 2,
    });
  });

  it('names the group that the pass is about, and the instance that it chose', () => {
    const group = { cause: 'give-back', noticedAt: '2026-11-21T07:00:00Z', autoScalingGroupName: 'a/b' };
    const { world, logged } = createLines(startedAt);
    reportPass(
      {
        work: 'node-leaving',
        subject: { id: 'giving-back-1', notices: [group], redelivered: false, receiveCount: 1 },
        records: [record()],
        startedAt,
        outcome: done('given back', { givenBack: 1, instanceId }),
      },
      world,
    );
    expect(logged()[0]).toMatchObject({ autoScalingGroupName: 'a/b', instanceId, facts: { givenBack: 1 } });
    expect(report({}).line).not.toHaveProperty('autoScalingGroupName');
    expect(report({}).line).not.toHaveProperty('instanceId');
  });

  it('has the time of the next pass, and the deadline if there is one', () => {
    const { line } = report({
      subject: {
        id: instanceId,
        notices: [notice()],
        redelivered: false,
        receiveCount: 1,
        deadline: startedAt + 60_000,
      },
      outcome: again(7, 'pods are leaving'),
    });
    expect(line).toMatchObject({ outcome: 'again', afterSeconds: 7, deadline: '2026-11-21T07:01:00.000Z' });
    expect(line).not.toHaveProperty('facts');
  });

  it('that failed is an error with its cause', () => {
    const { line } = report({ outcome: again(2, 'the pass failed'), error: new Error('refused') });
    expect(line).toMatchObject({ level: 'error', error: expect.objectContaining({ message: 'refused' }) });
  });
});

describe('the metrics of a pass', () => {
  it('are the facts that are numbers and have a metric, and no others', () => {
    const facts = { podsEvicted: 3, podsForced: 0, podsRefused: 1, drainSeconds: 40, node: 'n', podsLeft: 4 };
    expect(report({ outcome: done('gone', facts) }).metrics).toEqual([
      { PodsEvicted: 3, Refused: 1, DrainSeconds: 40 },
    ]);
    expect(report({ outcome: done('gone', { podsEvicted: 'many' }) }).metrics).toEqual([]);
  });

  it('count waits by their cause', () => {
    const cause = (outcome: EndedPass<LeavingNotice>['outcome'], error?: Error) =>
      report({ outcome, ...(error && { error }) }).metrics.at(-1);
    expect(cause(again(5, 'held', { waitsFor: 'budgets' }))).toEqual({ Waits: 1, Cause: 'budgets' });
    expect(cause(again(5, 'held'))).toEqual({ Waits: 1, Cause: 'other' });
    expect(cause(again(5, 'held', { waitsFor: 3 }))).toEqual({ Waits: 1, Cause: 'other' });
    expect(cause(again(5, 'held', { waitsFor: 'budgets' }), new Error('x'))).toEqual({
      Waits: 1,
      Cause: 'failure',
    });
    expect(cause(done('gone'))).toBeUndefined();
  });

  it('count a failed pass, and no other', () => {
    expect(report({ outcome: again(2, 'failed'), error: new Error('x') }).metrics[0]).toMatchObject({
      FailedPasses: 1,
    });
    expect(report({}).metrics).toEqual([]);
  });

  it('have the time since the deadline while something still waits', () => {
    const overdue = (deadline: number | undefined, outcome: EndedPass<LeavingNotice>['outcome']) =>
      report({
        subject: {
          id: instanceId,
          notices: [notice()],
          redelivered: false,
          receiveCount: 1,
          ...(deadline !== undefined && { deadline }),
        },
        outcome,
      }).metrics[0]?.DeadlineOverdueSeconds;
    expect(overdue(startedAt - 28_000, again(5, 'held'))).toBe(30);
    expect(overdue(startedAt + 2000, again(5, 'held'))).toBeUndefined();
    expect(overdue(startedAt - 28_000, done('gone'))).toBeUndefined();
    expect(overdue(undefined, again(5, 'held'))).toBeUndefined();
  });

  it('have the time without a pass: since the message was sent, then the mean between passes, of the worst message', () => {
    const age = (...records: Parameters<typeof record>[0][]) =>
      report({ records: records.map((parts) => record(parts)) }).metrics[0]?.PassAgeSeconds;
    expect(age({ sentAt: startedAt - 90_000 })).toBe(90);
    expect(age({ sentAt: startedAt - 9000, receiveCount: 4, firstReceivedAt: startedAt - 600_000 })).toBe(
      200,
    );
    expect(age({ sentAt: startedAt - 1000 }, { sentAt: startedAt - 90_000 })).toBe(90);
    expect(age({ sentAt: startedAt + 5000 })).toBeUndefined();
  });

  it('have no time without a pass below a minute, which every waiting pass has', () => {
    const metrics = (sentAt: number) => report({ records: [record({ sentAt })] }).metrics;
    expect(metrics(startedAt - 60_000)).toEqual([]);
    expect(metrics(startedAt - 61_000)).toEqual([{ PassAgeSeconds: 61 }]);
  });
});

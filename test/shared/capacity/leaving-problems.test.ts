import { describe, expect, it } from 'vitest';
import { leavingProblems } from '../../../shared/capacity/leaving-problems.ts';
import { leavingInstanceIn, since } from '../../cli/leaving-support.ts';

const minutesLater = (minutes: number) => ({ at: Date.parse(since) + minutes * 60_000, sawGroups: true });
const until = '2026-11-21T08:30:00.000Z';
const timeAfter = (minutes: number) => new Date(minutesLater(minutes).at).toISOString();

const kindsOf = (...input: Parameters<typeof leavingProblems>) =>
  leavingProblems(...input).map(({ kind }) => kind);

describe('leavingProblems', () => {
  it('reports a node whose deadline passed five minutes ago', () => {
    const instance = leavingInstanceIn('Terminating:Wait', {
      mark: { until, renewedAt: timeAfter(30), waitingFor: ['shop/web-1 (budget web)'], andMore: 2 },
    });
    expect(kindsOf(instance, minutesLater(35))).toEqual([]);
    expect(leavingProblems(instance, minutesLater(36))).toEqual([
      {
        kind: 'overdue',
        subject: 'node-1',
        message:
          'it should have left by 2026-11-21T08:30:00Z; it waits for shop/web-1 (budget web) and 2 more',
      },
    ]);
  });

  it('reports a node whose mark no pass has renewed for half an hour, unless its wait has ended', () => {
    expect(kindsOf(leavingInstanceIn('Terminating:Wait'), minutesLater(30))).toEqual([]);
    expect(kindsOf(leavingInstanceIn('Terminating:Wait'), minutesLater(31))).toEqual(['quiet']);
    expect(kindsOf(leavingInstanceIn('Warmed:Pending:Wait'), minutesLater(31))).toEqual(['quiet']);
    expect(kindsOf(leavingInstanceIn('Terminating:Proceed', { mark: { until } }), minutesLater(90))).toEqual(
      [],
    );
  });

  it('does not report nodes of a paused group', () => {
    const instance = leavingInstanceIn('Terminating:Wait', { mark: { until }, pause: { scope: 'group' } });
    expect(kindsOf(instance, minutesLater(90))).toEqual([]);
  });

  it('reports a node that was left behind, if Auto Scaling could be read', () => {
    const { member: _, group: __, hook: ___, ...instance } = leavingInstanceIn('');
    expect(kindsOf(instance, minutesLater(15))).toEqual([]);
    expect(kindsOf(instance, minutesLater(16))).toEqual(['left-behind']);
    expect(kindsOf(instance, { ...minutesLater(16), sawGroups: false })).toEqual([]);
  });
});

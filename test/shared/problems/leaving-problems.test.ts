import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { leavingProblems } from '../../../shared/problems/leaving-problems.ts';
import { instanceId, leavingInstanceIn, markOf, since } from '../../cli/leaving-support.ts';

const minutesLater = (minutes: number) => ({
  at: Date.parse(since) + minutes * 60_000,
  groups: { clusterName: 'prod', others: [] },
});
const until = '2026-11-21T08:30:00.000Z';
const timeAfter = (minutes: number) => new Date(minutesLater(minutes).at).toISOString();

const kindsOf = (...input: Parameters<typeof leavingProblems>) =>
  leavingProblems(...input).map(({ kind }) => kind);

describe('leavingProblems', () => {
  it('reports a node whose deadline passed five minutes ago', () => {
    const instance = leavingInstanceIn('Terminating:Wait', {
      mark: { until, renewedAt: timeAfter(30), waitingFor: ['shop/web-1 (budget web)'], andMore: 2 },
    });
    expect(kindsOf(instance, minutesLater(35))).toEqual(['budget']);
    expect(leavingProblems(instance, minutesLater(36))).toEqual([
      {
        kind: 'overdue',
        subject: 'node-1',
        since: until,
        command: 'kubectl describe node node-1',
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

  it('reports after 20 minutes that no replacement serves for which a node waits, and not that it waits for its turn', () => {
    const waitingFor = ['its replacement: 1 more of the 3 instances of workers must serve, of which 2 do'];
    const awaiting = (what: 'replacement' | 'turn') =>
      leavingInstanceIn('Terminating:Wait', {
        mark: { awaiting: what, renewedAt: timeAfter(21), waitingFor },
      });
    expect(kindsOf(awaiting('replacement'), minutesLater(20))).toEqual([]);
    expect(kindsOf(awaiting('turn'), minutesLater(21))).toEqual([]);
    expect(leavingProblems(awaiting('replacement'), minutesLater(21))).toMatchObject([
      {
        kind: 'unreplaced',
        subject: 'node-1',
        since,
        message: expect.stringContaining('1 more of the 3 instances of workers must serve'),
        command: expect.stringContaining('describe-scaling-activities --auto-scaling-group-name workers'),
      },
    ]);
  });

  it('reports a node that was left behind, if Auto Scaling could be read', () => {
    const { member: _, group: __, hook: ___, ...instance } = leavingInstanceIn('');
    expect(kindsOf(instance, minutesLater(15))).toEqual([]);
    expect(kindsOf(instance, minutesLater(16))).toEqual(['left-behind']);
    expect(kindsOf(instance, { ...minutesLater(16), groups: undefined })).toEqual([]);
  });

  it('reports a group that has lost a tag during the drain, and when the wait ends', () => {
    const {
      member: _,
      group: __,
      hook: ___,
      ...instance
    } = leavingInstanceIn('', {
      mark: { waitEndsAt: '2026-11-21T08:59:00.000Z' },
    });
    const member = { instanceId, lifecycleState: 'Terminating:Wait', availabilityZone: 'a', healthy: true };
    const untagged = { autoScalingGroupName: 'workers', tags: {}, instances: [member] };
    const others = [untagged as unknown as AutoScalingGroup];
    const at = minutesLater(1).at;
    expect(leavingProblems(instance, { at, groups: { clusterName: 'prod', others } })).toMatchObject([
      {
        kind: 'tags-lost',
        since,
        message: expect.stringMatching(/workers has lost a tag .* ends at 2026-11-21T08:59:00Z/),
        command: expect.stringMatching(/^aws autoscaling create-or-update-tags .*ResourceId=workers/),
      },
    ]);
    const { waitEndsAt: ____, ...mark } = instance.node?.mark ?? markOf();
    const permitted = { ...instance, node: { name: 'node-1', mark } };
    const [problem] = leavingProblems(permitted, { at, groups: { clusterName: 'prod', others } });
    expect(problem?.message).not.toMatch(/ends at/);
  });

  it('reports for a quarter of an hour that something else uncordoned a node', () => {
    const instance = leavingInstanceIn('Terminating:Wait', {
      mark: { uncordonedAt: since, renewedAt: timeAfter(10) },
    });
    expect(kindsOf(instance, minutesLater(15))).toEqual(['uncordoned']);
    expect(kindsOf(instance, minutesLater(16))).toEqual([]);
  });

  it('reports an instance that its group retains, by its id if its Node is not known', () => {
    const { node: _, ...instance } = leavingInstanceIn('Terminating:Retained');
    expect(leavingProblems(instance, minutesLater(1))).toMatchObject([
      { kind: 'retained', subject: instanceId, command: expect.stringContaining(instanceId) },
    ]);
  });
});

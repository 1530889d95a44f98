import { describe, expect, it } from 'vitest';
import { status } from '../../../../shared/scale-api/schemas/answers/status.ts';
import type { ObservedStatus } from '../../../../shared/scale-api/status/observe.ts';
import { viewStatus } from '../../../../shared/scale-api/status/view.ts';
import { groupWith, nodeOf, seen, unknown } from '../../capacity/fixtures.ts';
import { takes } from '../schemas/support.ts';

const known = <Value>(value: Value) => ({ kind: 'known', value }) as const;
const notRead = (reason: string) => ({ kind: 'unknown', reason }) as const;

const managed = (name: string, states: readonly string[], tags = {}) => ({
  ...groupWith(states, { autoScalingGroupName: name, tags }),
  role: 'worker' as const,
});

const credential = (state: 'ok' | 'attention' | 'unknown', reason = 'a reason') => ({
  role: 'worker' as const,
  parameterName: '/drover/worker',
  state,
  reason,
  publishedAt: null,
  ageSeconds: null,
});

const problem = { kind: 'etcd', subject: 'etcd-a', message: 'quorum is lost' } as const;
const noPasses = { leaving: [], joining: [], problems: [] };
const joining = { instanceId: 'i-1', autoScalingGroupName: 'workers', lifecycleState: 'Pending:Wait' };
const leaving = {
  node: null,
  instanceId: 'i-2',
  autoScalingGroupName: 'workers',
  lifecycleState: 'Terminating:Wait',
  cause: null,
  since: null,
  until: null,
  renewedAt: null,
  waitsFor: 'its first pass',
};

const view = (changes: Partial<ObservedStatus> = {}) =>
  viewStatus('drover', {
    groups: known([managed('workers', ['InService', 'Pending'])]),
    nodes: known(seen(nodeOf(1))),
    passes: known(noPasses),
    credentials: [credential('ok')],
    etcd: { state: 'ok', reason: '3 known', members: ['i-3'] },
    ...changes,
  });

describe('the status of a cluster', () => {
  it('is ok with its counts where everything could be read and nothing needs a person', () => {
    expect(view()).toEqual({
      clusterName: 'drover',
      state: 'ok',
      groups: 1,
      pausedGroups: [],
      instances: 2,
      leaving: 0,
      joining: 0,
      clusterAnswers: true,
      problems: [],
      credentials: [credential('ok')],
      etcd: { state: 'ok', reason: '3 known', members: ['i-3'] },
      unknown: [],
    });
  });

  it('is what the schema of the answer says, known or unknown', () => {
    const credentials = [{ ...credential('ok'), publishedAt: '2026-11-24T11:58:30.000Z', ageSeconds: 90 }];
    const nothing = { groups: notRead('denied'), nodes: notRead('denied'), passes: notRead('denied') };
    const read = {
      credentials,
      passes: known({ leaving: [leaving], joining: [joining], problems: [problem] }),
    };
    expect([view(), view(read), view(nothing)].every(takes(status))).toBe(true);
    expect(
      [
        { ...view(), groups: -1 },
        { ...view(), leaving: 0.5 },
      ].filter(takes(status)),
    ).toEqual([]);
  });

  it('counts the instances of all groups, and names the paused groups', () => {
    const groups = [
      managed('one', ['InService'], { 'drover.dev/paused': 'scope=group' }),
      managed('two', ['InService', 'InService'], { 'drover.dev/paused': 'false' }),
    ];
    expect(view({ groups: known(groups) })).toMatchObject({ groups: 2, instances: 3, pausedGroups: ['one'] });
  });

  it('counts what joins and leaves, which needs no person', () => {
    const passes = known({ ...noPasses, joining: [joining], leaving: [leaving, leaving] });
    expect(view({ passes })).toMatchObject({ state: 'ok', joining: 1, leaving: 2 });
  });

  it.each<[string, Partial<ObservedStatus>]>([
    ['a problem of a pass', { passes: known({ ...noPasses, problems: [problem] }) }],
    ['one credential of several', { credentials: [credential('ok'), credential('attention')] }],
    ['etcd', { etcd: { state: 'attention', reason: 'no quorum', members: null } }],
  ])('is attention for %s, also where another part is unknown', (_, changes) => {
    expect(view(changes).state).toBe('attention');
    expect(view({ ...changes, nodes: notRead('the Nodes: denied') })).toMatchObject({
      state: 'attention',
      unknown: ['the Nodes: denied'],
    });
  });

  it('names the problems of its passes', () => {
    expect(view({ passes: known({ ...noPasses, problems: [problem] }) }).problems).toEqual([problem]);
  });

  it.each<[string, Partial<ObservedStatus>, string]>([
    ['the groups', { groups: notRead('the groups: denied') }, 'the groups: denied'],
    ['the Nodes', { nodes: notRead('the Nodes: too slow') }, 'the Nodes: too slow'],
    ['the cluster', { nodes: known(unknown) }, 'the API server did not answer'],
    ['what joins and leaves', { passes: notRead('the passes: denied') }, 'the passes: denied'],
    ['a credential', { credentials: [credential('unknown', 'SSM: denied')] }, 'SSM: denied'],
    ['etcd', { etcd: { state: 'unknown', reason: 'no member', members: [] } }, 'no member'],
  ])('is unknown, with the reason, where %s could not be read', (_, changes, reason) => {
    expect(view(changes)).toMatchObject({ state: 'unknown', unknown: [reason] });
  });

  it('counts nothing that could not be read', () => {
    expect(view({ groups: notRead('denied'), passes: notRead('denied') })).toMatchObject({
      groups: null,
      pausedGroups: null,
      instances: null,
      leaving: null,
      joining: null,
      problems: [],
      unknown: ['denied'],
    });
  });

  it.each([
    ['was not asked in time', notRead('too slow')],
    ['did not answer', known(unknown)],
  ])('says that the cluster does not answer where it %s', (_, nodes) => {
    expect(view({ nodes }).clusterAnswers).toBe(false);
  });

  it('keeps null for members of etcd that are unknown', () => {
    expect(view({ etcd: { state: 'off', reason: 'no etcd', members: null } })).toMatchObject({
      state: 'ok',
      etcd: { state: 'off', reason: 'no etcd', members: null },
    });
  });
});

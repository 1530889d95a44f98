import { describe, expect, it } from 'vitest';
import { problemOf } from '../../../shared/problems/problem.ts';
import { problemView } from '../../../shared/scale-api/passes.ts';
import type { ManagedGroup } from '../../../shared/scale-api/scale-context.ts';
import { status } from '../../../shared/scale-api/schemas/answers/status.ts';
import {
  credentialStatuses,
  etcdStatus,
  type ObservedStatus,
  viewStatus,
} from '../../../shared/scale-api/status-view.ts';
import { groupWith, nodeOf, seen, unknown } from '../capacity/fixtures.ts';
import { takes } from './schemas/support.ts';

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

const problem = problemOf({ kind: 'etcd', subject: 'etcd-a', message: 'quorum is lost' });
const observation = {
  at: 0,
  groups: notRead('not looked at'),
  nodes: notRead('not looked at'),
};
const noPasses = { leaving: [], joining: [], observation, unknown: [] };
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
    scheduledActions: undefined,
    problems: [],
    unread: [],
    notLookedAt: [],
    etcd: { state: 'ok', reason: '3 known', members: ['i-3'] },
    ...changes,
  });

describe('the status of a cluster', () => {
  it('is ok with its counts if everything could be read and nothing needs an operator', () => {
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
      notLookedAt: [],
    });
  });

  it('matches the schema of the answer, known or unknown', () => {
    const credentials = [{ ...credential('ok'), publishedAt: '2026-11-24T11:58:30.000Z', ageSeconds: 90 }];
    const nothing = { groups: notRead('denied'), nodes: notRead('denied'), passes: notRead('denied') };
    const read = {
      credentials,
      passes: known({ ...noPasses, leaving: [leaving], joining: [joining] }),
      problems: [problem],
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

  it('counts what joins and leaves, which does not need an operator', () => {
    const passes = known({ ...noPasses, joining: [joining], leaving: [leaving, leaving] });
    expect(view({ passes })).toMatchObject({ state: 'ok', joining: 1, leaving: 2 });
  });

  it.each<[string, Partial<ObservedStatus>]>([
    ['a problem', { problems: [problem] }],
    ['one credential of several', { credentials: [credential('ok'), credential('attention')] }],
    ['etcd', { etcd: { state: 'attention', reason: 'no quorum', members: null } }],
  ])('is attention for %s, also if another part is unknown', (_, changes) => {
    expect(view(changes).state).toBe('attention');
    expect(view({ ...changes, nodes: notRead('the Nodes: denied') })).toMatchObject({
      state: 'attention',
      unknown: ['the Nodes: denied'],
    });
  });

  it('names the problems in their order', () => {
    expect(view({ problems: [problem] }).problems).toEqual([problemView(problem)]);
  });

  it.each<[string, Partial<ObservedStatus>, string]>([
    ['the groups', { groups: notRead('the groups: denied') }, 'the groups: denied'],
    ['the Nodes', { nodes: notRead('the Nodes: too slow') }, 'the Nodes: too slow'],
    ['the cluster', { nodes: known(unknown) }, 'the API server did not answer'],
    ['what joins and leaves', { passes: notRead('the passes: denied') }, 'the passes: denied'],
    ['a credential', { credentials: [credential('unknown', 'SSM: denied')] }, 'SSM: denied'],
    ['etcd', { etcd: { state: 'unknown', reason: 'no member', members: [] } }, 'no member'],
    ['another source of problems', { unread: ['the alarms: denied'] }, 'the alarms: denied'],
  ])('is unknown, with the reason, if %s could not be read', (_, changes, reason) => {
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
  ])('says that the cluster does not respond if it %s', (_, nodes) => {
    expect(view({ nodes }).clusterAnswers).toBe(false);
  });

  it('keeps null for members of etcd that are unknown', () => {
    expect(view({ etcd: { state: 'off', reason: 'no etcd', members: null } })).toMatchObject({
      state: 'ok',
      etcd: { state: 'off', reason: 'no etcd', members: null },
    });
  });
});

const now = Date.parse('2026-11-24T12:00:00Z');
const parameters = [
  { role: 'worker', parameterName: '/drover/worker' },
  { role: 'control-plane', parameterName: '/drover/control-plane' },
] as const;

const statuses = (publishedAt: Parameters<typeof credentialStatuses>[1]) =>
  credentialStatuses({ parameters, rotationSeconds: 7200 }, publishedAt, now);

/** The status of the first role, whose credential was published so many seconds ago. */
const afterSeconds = (seconds: number) =>
  statuses({ kind: 'known', value: new Map([['/drover/worker', now - seconds * 1000]]) })[0];

describe('the credential of a role', () => {
  it('is ok with its age and the time of its publication', () => {
    expect(afterSeconds(90)).toEqual({
      ...parameters[0],
      state: 'ok',
      reason: 'published 90 s ago, rotated every 7200 s',
      publishedAt: '2026-11-24T11:58:30.000Z',
      ageSeconds: 90,
    });
  });

  it('may be due for the hour between two runs, and is overdue after that', () => {
    expect(afterSeconds(7200 + 3600)?.state).toBe('ok');
    expect(afterSeconds(7200 + 3601)).toMatchObject({
      state: 'attention',
      reason: expect.stringContaining('overdue'),
    });
  });

  it('has an age in whole seconds, and never a negative one from a clock that is ahead', () => {
    expect(afterSeconds(59.9)?.ageSeconds).toBe(59);
    expect(afterSeconds(-5)).toMatchObject({ state: 'ok', ageSeconds: 0 });
  });

  it('needs attention if none is published, for each role separately', () => {
    const [worker, controlPlane] = statuses({ kind: 'known', value: new Map([['/drover/worker', now]]) });
    expect(worker?.state).toBe('ok');
    expect(controlPlane).toEqual({
      ...parameters[1],
      state: 'attention',
      reason: expect.stringContaining('none is published'),
      publishedAt: null,
      ageSeconds: null,
    });
  });

  it('is unknown, with the reason, if the parameters could not be read', () => {
    const unread = { state: 'unknown', reason: 'SSM: denied', publishedAt: null, ageSeconds: null };
    expect(statuses({ kind: 'unknown', reason: 'SSM: denied' })).toEqual(
      parameters.map((parameter) => ({ ...parameter, ...unread })),
    );
  });
});

const etcdGroup = (name: string, problem?: string, role: ManagedGroup['role'] = 'etcd'): ManagedGroup => ({
  ...groupWith([], {
    autoScalingGroupName: name,
    tags: {
      'drover.dev/role': role,
      ...(problem !== undefined && { 'drover.dev/etcd-status': problem }),
    },
  }),
  role,
});
const knownList = <Value>(...value: Value[]) => known(value);

describe('the status of etcd', () => {
  it('is off if the deployment manages no etcd, whatever else is known', () => {
    expect(etcdStatus(notRead('denied'), undefined)).toMatchObject({ state: 'off', members: null });
  });

  it('is ok with its members in order if no group reports a problem', () => {
    expect(etcdStatus(knownList(etcdGroup('a')), knownList('i-3', 'i-1', 'i-2'))).toMatchObject({
      state: 'ok',
      reason: expect.stringMatching(/^3 known/),
      members: ['i-1', 'i-2', 'i-3'],
    });
  });

  it('is attention with each problem and its group, whether or not the members are known', () => {
    const groups = knownList(etcdGroup('a', 'no quorum'), etcdGroup('b'), etcdGroup('c', 'no disk'));
    const reason = 'a: no quorum; c: no disk';
    expect(etcdStatus(groups, knownList('i-1'))).toEqual({ state: 'attention', reason, members: ['i-1'] });
    expect(etcdStatus(groups, notRead('denied'))).toEqual({ state: 'attention', reason, members: null });
  });

  it('is unknown with every reason, and with the members if only the groups could not be read', () => {
    expect(etcdStatus(notRead('no groups'), knownList('i-2', 'i-1'))).toEqual({
      state: 'unknown',
      reason: 'no groups',
      members: ['i-1', 'i-2'],
    });
    expect(etcdStatus(notRead('no groups'), notRead('no members'))).toEqual({
      state: 'unknown',
      reason: 'no groups; no members',
      members: null,
    });
    expect(etcdStatus(knownList(etcdGroup('a')), notRead('no members'))).toEqual({
      state: 'unknown',
      reason: 'no members',
      members: null,
    });
  });

  it('is unknown without a member', () => {
    expect(etcdStatus(knownList(etcdGroup('a')), knownList())).toMatchObject({
      state: 'unknown',
      members: [],
    });
  });
});

import { describe, expect, it } from 'vitest';
import { raisedAlarms } from '../../../../local/dashboard/state/alarms.ts';
import { etcdView } from '../../../../local/dashboard/state/etcd.ts';
import { createEtcdDroverWorld } from '../../../../local/world/etcd/etcd-world.ts';
import { formatLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../../shared/nodes/node-keys.ts';
import { leavingView, nodeView } from '../../../../ui/server/views/node.ts';
import { podView } from '../../../../ui/server/views/pod.ts';
import { controller, node, pod } from '../../../support/pods.ts';

describe('a pod', () => {
  it.each([
    { what: 'runs and is ready', parts: {}, state: 'running' },
    { what: 'runs and is not ready', parts: { ready: false }, state: 'pending' },
    { what: 'has not started', parts: { phase: 'Pending', ready: false }, state: 'pending' },
    { what: 'is deleted and still runs', parts: { terminatesAt: 1_000 }, state: 'terminating' },
    { what: 'has ended well', parts: { phase: 'Succeeded', ready: false }, state: 'finished' },
    { what: 'has failed', parts: { phase: 'Failed', ready: false }, state: 'failed' },
    { what: 'was lost with its node', parts: { phase: 'Unknown', ready: false }, state: 'failed' },
  ])('that $what is $state', ({ parts, state }) => {
    expect(podView(pod(parts)).state).toBe(state);
  });

  it('of a DaemonSet is marked as such', () => {
    expect(podView(pod({ owner: controller('DaemonSet', 'agent') })).daemon).toBe(true);
    expect(podView(pod({ owner: null })).daemon).toBe(false);
  });
});

describe('a node', () => {
  const mark = formatLeavingMark({
    cause: 'spot-interruption',
    instanceId: 'i-0123456789abcdef0',
    since: '2026-01-05T08:00:00.000Z',
    until: '2026-01-05T08:01:30.000Z',
    renewedAt: '2026-01-05T08:00:10.000Z',
    before: { unschedulable: false, excludedFromLoadBalancers: false },
    waitingFor: Array.from({ length: 12 }, (_, index) => `shop/web-${index} (budget web)`),
  });

  it('that leaves has its cause, start, deadline and the number of pods that it waits for', () => {
    const { leaving } = nodeView(node({ annotations: { [leavingAnnotation]: mark } }), []);
    expect(leaving).toMatchObject({
      cause: 'spot-interruption',
      since: Date.UTC(2026, 0, 5, 8),
      until: Date.UTC(2026, 0, 5, 8, 1, 30),
      andMore: 2,
    });
    expect(leaving?.waitingFor).toHaveLength(10);
  });

  it('whose pods were deleted past their budgets says so', () => {
    const forced = { cause: 'terminating' as const, since: '2026-01-05T08:00:00.000Z', waitingFor: [] };
    expect(leavingView({ ...forced, podsForced: 2 }).isForced).toBe(true);
    expect(leavingView(forced).isForced).toBeUndefined();
  });

  it('with an annotation that is not of our form does not leave', () => {
    expect(nodeView(node({ annotations: { [leavingAnnotation]: 'yes' } }), []).leaving).toBeUndefined();
  });

  it.each(['False', 'Unknown'] as const)('whose condition Ready is %s is not ready', (ready) => {
    expect(nodeView(node({ ready }), []).ready).toBe(false);
  });
});

describe('alarms', () => {
  const change = (alarmName: string, after: string, at: number) => ({
    alarm: {
      alarmName,
      description: '',
      insufficientDataActions: alarmName === 'silent' ? ['topic'] : [],
      treatMissingData: alarmName.endsWith('-missing') ? 'breaching' : 'notBreaching',
      metrics: [{ periodSeconds: 300 }],
    },
    after,
    at,
  });

  it('are shown while they are in ALARM, the longest first', () => {
    const history = [
      change('b', 'ALARM', 1),
      change('a', 'ALARM', 2),
      change('c', 'ALARM', 3),
      change('c', 'OK', 4),
      change('b', 'OK', 5),
      change('b', 'ALARM', 6),
    ];
    expect(raisedAlarms(history, 10)).toMatchObject([
      { name: 'a', since: 2 },
      { name: 'b', since: 6 },
    ]);
  });

  it('on silence are not shown before they could have seen so much of it', () => {
    const history = [change('sweep-missing', 'ALARM', 60_000)];
    expect(raisedAlarms(history, 900_000)).toEqual([]);
    expect(raisedAlarms(history, 960_000)).toMatchObject([{ name: 'sweep-missing' }]);
    const again = [change('a-missing', 'OK', 1), change('a-missing', 'ALARM', 2)];
    expect(raisedAlarms(again, 3)).toMatchObject([{ name: 'a-missing' }]);
  });

  it('are shown while their data is missing if that notifies people', () => {
    const history = [change('a', 'INSUFFICIENT_DATA', 1), change('silent', 'INSUFFICIENT_DATA', 2)];
    expect(raisedAlarms(history, 10)).toMatchObject([{ name: 'silent', since: 2 }]);
  });
});

describe('etcd', () => {
  it('is not shown before its first members run, and has no voters once all members are gone', () => {
    const world = createEtcdDroverWorld({ snapshotBucket: 'snapshots' });
    expect(etcdView(world)).toBeUndefined();
    world.account.s3.operations.PutObject({ Bucket: 'snapshots', Key: 'drover/one.db' });
    expect(etcdView(world)).toMatchObject({ members: [], voters: 0, servingVoters: 0 });
  });
});

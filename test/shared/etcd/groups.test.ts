import { describe, expect, it } from 'vitest';
import { findEtcdGroups, instancesOf } from '../../../shared/etcd/groups.ts';
import { id } from '../../support/etcd/observations.ts';
import { createPassBench, etcdHook, etcdLaunchHook, groupOf } from '../../support/etcd/pass-bench.ts';

const group = (autoScalingGroupName: string, role: string, cluster = 'prod') =>
  groupOf(
    { 1: 'InService' },
    {
      autoScalingGroupName,
      tags: { [`kubernetes.io/cluster/${cluster}`]: 'owned', 'drover.dev/role': role },
    },
  );

describe('a group of etcd members', () => {
  it('is read again for every pass, because lifecycle states decide which members leave', async () => {
    const { context } = createPassBench({ groups: [group('etcd', 'etcd')] });
    const asked: unknown[] = [];
    const listGroups: typeof context.autoScaling.listGroups = async (notBefore) => {
      asked.push(notBefore);
      return [];
    };
    await findEtcdGroups({ ...context, autoScaling: { ...context.autoScaling, listGroups } });
    expect(asked).toEqual([context.clock.now()]);
  });

  it('is one with the role etcd, or one of the control plane with one of our hooks', async () => {
    const groups = [
      group('etcd', 'etcd'),
      group('stacked', 'control-plane'),
      group('born-stacked', 'control-plane'),
      group('api-only', 'control-plane'),
      group('workers', 'worker'),
      group('theirs', 'etcd', 'test'),
    ];
    const otherHook = { ...etcdHook, lifecycleHookName: 'drover' };
    const hooks = {
      stacked: [otherHook, etcdHook],
      'born-stacked': [etcdLaunchHook],
      'api-only': [otherHook],
      workers: [etcdHook],
      theirs: [etcdHook],
    };
    const found = await findEtcdGroups(createPassBench({ groups, hooks }).context);
    expect(found).toEqual([
      { group: groups[0] },
      { group: groups[1], terminating: etcdHook },
      { group: groups[2], launching: etcdLaunchHook },
    ]);
  });
});

describe('an instance', () => {
  const hooks = { launching: etcdLaunchHook, terminating: etcdHook };

  it.each([
    ['Pending', 'arriving', undefined],
    ['Pending:Wait', 'arriving', etcdLaunchHook],
    ['Pending:Proceed', 'arriving', undefined],
    ['InService', 'serving', undefined],
    ['Standby', 'serving', undefined],
    ['EnteringStandby', 'serving', undefined],
    ['Terminating', 'leaving', undefined],
    ['Terminating:Wait', 'leaving', etcdHook],
    ['Terminated', 'leaving', undefined],
    ['Quarantined', 'leaving', undefined],
  ])('in %s is %s', (lifecycleState, phase, waitsOn) => {
    const one = { instanceId: id(1), autoScalingGroupName: 'etcd', phase, ...(waitsOn && { waitsOn }) };
    expect(instancesOf([{ group: groupOf({ 1: lifecycleState }), ...hooks }])).toMatchObject([one]);
  });

  it.each([
    ['Terminating', hooks, true],
    ['Terminating', { launching: etcdLaunchHook }, undefined],
    ['Terminating:Wait', hooks, undefined],
    ['Terminating:Proceed', hooks, undefined],
  ])('in %s with the hooks %j is being deregistered: %s', (lifecycleState, own, isBeingDeregistered) => {
    const [one] = instancesOf([{ group: groupOf({ 1: lifecycleState }), ...own }]);
    expect(one?.isBeingDeregistered).toBe(isBeingDeregistered);
  });

  it.each(['Warmed:Pending:Wait', 'Warmed:Stopped', 'Warmed:Running', 'Warmed:Terminating:Wait'])(
    'of the warm pool, in %s, is left out',
    (lifecycleState) => {
      expect(instancesOf([{ group: groupOf({ 1: lifecycleState }), ...hooks }])).toEqual([]);
    },
  );

  it('waits on no hook if its group lacks ours, and is held by none', () => {
    const [one] = instancesOf([{ group: groupOf({ 1: 'Terminating:Wait' }) }]);
    expect(one).not.toHaveProperty('waitsOn');
    expect(one).toMatchObject({ phase: 'leaving', unheld: true });
  });

  it.each(['Terminating:Proceed', 'ReplacingRootVolume:Proceed'])(
    'in %s is held by no hook any more',
    (lifecycleState) => {
      const [one] = instancesOf([{ group: groupOf({ 1: lifecycleState }), ...hooks }]);
      expect(one).toMatchObject({ phase: 'leaving', unheld: true });
    },
  );
});

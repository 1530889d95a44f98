import { describe, expect, it } from 'vitest';
import { decideTermination, type TerminationRequest } from '../../../shared/capacity/termination.ts';
import { groupWith } from './fixtures.ts';

const group = groupWith(['InService', 'InService'], { minSize: 1, maxSize: 5 });
const hook = {
  lifecycleHookName: 'drover-node-leaving',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 300,
  globalTimeoutSeconds: 30_000,
  defaultResult: 'CONTINUE',
} as const;

const instance = {
  instanceId: 'i-0123456789abcdef0',
  lifecycleState: 'InService',
  availabilityZone: 'eu-west-1a',
  healthy: true,
  autoScalingGroupName: group.autoScalingGroupName,
};

const decide = ({
  state = 'InService',
  ...wish
}: Partial<TerminationRequest> & { readonly state?: string } = {}) =>
  decideTermination({
    group,
    instance: { ...instance, lifecycleState: state },
    lowersDesiredCapacity: false,
    mayBeUndrained: false,
    hooks: [hook],
    leavingHookName: hook.lifecycleHookName,
    holds: [],
    ...wish,
  });

const tagged = (tags: Readonly<Record<string, string>>) => ({ ...group, tags: { ...group.tags, ...tags } });
const nodegroup = tagged({ 'eks:cluster-name': 'prod', 'eks:nodegroup-name': 'blue' });
const heldUntil = Date.UTC(2026, 11, 1);
const hold = {
  autoScalingGroupName: 'workers',
  name: 'sale',
  nodes: 2,
  until: heldUntil,
  raiseMaxSize: false,
};

describe('decideTermination', () => {
  it.each([
    ['replaces it', {}, 'its node is drained before it goes, and Auto Scaling launches another'],
    [
      'lowers the group',
      { lowersDesiredCapacity: true },
      'its node is drained before it goes, and no other is launched',
    ],
    [
      'kills its pods if that is asked for',
      { hooks: [], mayBeUndrained: true },
      'its node is not drained, and Auto Scaling launches another',
    ],
    [
      'lets EKS drain a node of its node group',
      { hooks: [], group: nodegroup },
      'its node is drained before it goes, and Auto Scaling launches another',
    ],
  ])('%s', (_, wish, reason) => {
    expect(decide(wish)).toEqual({ kind: 'accepted', isLeavingAlready: false, reason });
  });

  it.each([
    'Terminating',
    'Terminating:Wait',
    'Terminating:Proceed',
    'Terminated',
    'Warmed:Terminating:Wait',
  ])('does nothing if the instance is already %s, whatever else would refuse it', (state) => {
    expect(decide({ state, hooks: [], lowersDesiredCapacity: true, holds: [hold] })).toMatchObject({
      kind: 'accepted',
      isLeavingAlready: true,
    });
  });

  it.each([
    ['a member of etcd', { group: tagged({ 'drover.dev/role': 'etcd' }) }, 'etcd'],
    [
      'a member of etcd that leaves',
      { group: tagged({ 'drover.dev/role': 'etcd' }), state: 'Terminating:Wait' },
      'etcd',
    ],
    ['an instance without the hook', { hooks: [] }, 'undrained'],
    [
      'an instance whose hook is one of launches',
      { hooks: [{ ...hook, transition: 'launching' as const }] },
      'undrained',
    ],
    ['a retained instance', { state: 'Terminating:Retained' }, 'undrained'],
    [
      'a smaller group than MinSize',
      { group: { ...group, minSize: 2 }, lowersDesiredCapacity: true },
      'out-of-bounds',
    ],
    ['a smaller group than a hold', { lowersDesiredCapacity: true, holds: [hold] }, 'held'],
    ['a smaller node group of EKS', { group: nodegroup, lowersDesiredCapacity: true }, 'eks'],
  ])('refuses %s', (_, wish, cause) => {
    expect(decide(wish)).toMatchObject({ kind: 'refused', cause });
  });

  it('ignores holds if another instance is launched', () => {
    expect(decide({ holds: [hold] }).kind).toBe('accepted');
  });
});

it('lowers the desired capacity by the weight of the instance in a group that counts units', () => {
  const sizes = { countsUnits: true, minSize: 3, desiredCapacity: 6 } as const;
  const wish = (weight: number) =>
    decide({
      group: { ...group, ...sizes },
      lowersDesiredCapacity: true,
      instance: { ...instance, weight },
    });
  expect(wish(3).kind).toBe('accepted');
  expect(wish(4)).toMatchObject({ kind: 'refused', cause: 'out-of-bounds' });
});

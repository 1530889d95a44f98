import { describe, expect, it } from 'vitest';
import {
  findLeavingInstances,
  type LeavingInput,
  type LeavingInstance,
  waitsFor,
} from '../../../shared/capacity/leaving-instances.ts';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import { leavingInstanceIn, markOf, since } from '../../cli/leaving-support.ts';
import { groupWith, instanceId } from './fixtures.ts';

const hook: LifecycleHook = {
  lifecycleHookName: 'drover-node-leaving',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 3600,
  globalTimeoutSeconds: 172_800,
  defaultResult: 'CONTINUE',
};
const node = (number: number) => ({
  name: `node-${number}`,
  mark: markOf({ instanceId: instanceId(number) }),
});

const find = (input: Partial<LeavingInput>) =>
  findLeavingInstances({
    groups: [],
    hooks: new Map(),
    nodes: [],
    leavingHookName: 'drover-node-leaving',
    ...input,
  });

describe('the leaving instances', () => {
  it('are instances that are terminating, and instances in service with a marked Node', () => {
    const group = groupWith(['InService', 'InService', 'Terminating:Wait', 'Terminating:Wait']);
    expect(find({ groups: [group], nodes: [node(2), node(4)] })).toEqual([
      { instanceId: instanceId(2), node: node(2), member: group.instances[1], group },
      { instanceId: instanceId(3), member: group.instances[2], group },
      { instanceId: instanceId(4), node: node(4), member: group.instances[3], group },
    ]);
  });

  it('include instances of marked Nodes that are not in a group, each once and last', () => {
    const [one, two] = [
      groupWith(['Terminating:Wait'], { autoScalingGroupName: 'one' }),
      groupWith(['InService', 'Terminating:Wait'], { autoScalingGroupName: 'two' }),
    ];
    const found = find({ groups: [one, two], nodes: [node(9), node(2)] });
    expect(found.map((each) => [each.instanceId, each.group?.autoScalingGroupName])).toEqual([
      [instanceId(1), 'one'],
      [instanceId(2), 'two'],
      [instanceId(9), undefined],
    ]);
    expect(found.at(-1)).toEqual({ instanceId: instanceId(9), node: node(9) });
  });

  it('have the Drover hook of their own group', () => {
    const groups = [
      groupWith(['Terminating:Wait'], { autoScalingGroupName: 'with' }),
      groupWith(['Terminating:Wait'], { autoScalingGroupName: 'without' }),
    ];
    const hooks = new Map([
      ['with', [{ ...hook, lifecycleHookName: 'foreign' }, hook]],
      ['without', [{ ...hook, lifecycleHookName: 'foreign' }]],
    ]);
    const [withHook, withoutHook] = find({ groups, hooks });
    expect(withHook?.hook).toEqual(hook);
    expect(withoutHook).not.toHaveProperty('hook');
  });

  it('have the names of the other terminating hooks, and not of launch hooks', () => {
    const group = groupWith(['Terminating:Wait']);
    const others = [
      { ...hook, lifecycleHookName: 'foreign' },
      { ...hook, lifecycleHookName: 'launching', transition: 'launching' as const },
    ];
    const otherHooks = (hooks: readonly LifecycleHook[]) =>
      find({ groups: [group], hooks: new Map([[group.autoScalingGroupName, hooks]]) })[0]?.otherHooks;
    expect(otherHooks([...others, hook])).toEqual(['foreign']);
    expect(otherHooks([hook])).toBeUndefined();
  });

  it('have the pause of their group', () => {
    const [paused] = find({
      groups: [groupWith(['Terminating:Wait'], { tags: { 'drover.dev/paused': 'scope=cluster' } })],
    });
    expect(paused?.pause).toEqual({ scope: 'cluster' });
  });

  it('are none if nothing is leaving', () => {
    expect(find({ groups: [groupWith(['InService', 'Pending:Wait', 'Standby'])] })).toEqual([]);
  });
});

const pause = { scope: 'group' } as const;
const etcd = { autoScalingGroupName: 'etcd', retainsAbandoned: false, tags: { 'drover.dev/role': 'etcd' } };

const without = (instance: LeavingInstance, ...names: readonly (keyof LeavingInstance)[]): LeavingInstance =>
  Object.fromEntries(
    Object.entries(instance).filter(([name]) => !(names as readonly string[]).includes(name)),
  ) as unknown as LeavingInstance;

const waiting = leavingInstanceIn('Terminating:Wait');
const newVolume = (state: string) => leavingInstanceIn(state, { mark: { bootBefore: 'b-1' } });

describe('a leaving instance waits', () => {
  it.each<[string, string, LeavingInstance]>([
    ['its pods', 'with a mark', waiting],
    ['its pods', 'with a mark before its wait', leavingInstanceIn('Terminating')],
    ['its pods', 'with a mark, in no managed group', without(waiting, 'member', 'group', 'hook')],
    ['unknown', 'without a mark and a group', without(waiting, 'node', 'member', 'group', 'hook')],
    [
      'confirmation',
      'once its instance is missing',
      leavingInstanceIn('', { mark: { missingSince: since } }),
    ],
    ['the operator', 'once its group retains it', leavingInstanceIn('Terminating:Retained', { pause })],
    ['EC2', 'after its hooks, also in a pause', leavingInstanceIn('Terminating:Proceed', { pause })],
    ['the end of the pause', 'in a pause', leavingInstanceIn('Terminating:Wait', { pause })],
    ['its pods', 'before it gets a new root volume', newVolume('ReplacingRootVolume:Wait')],
    ['its new root volume', 'while it gets a new root volume', newVolume('RootVolumeReplaced')],
    ['its pods', 'with a mark that it keeps in service', leavingInstanceIn('InService')],
    ['its first pass', 'on the hook of Drover', without(waiting, 'node')],
    ['a hook that is not', 'on another hook', without(waiting, 'node', 'hook')],
    ['a hook that is not', 'on another hook of a group unseen', without(waiting, 'node', 'hook', 'group')],
    ['its member', 'on the hook of etcd', without({ ...waiting, group: etcd }, 'node', 'hook')],
    ['Auto Scaling', 'before its wait', without(leavingInstanceIn('Terminating'), 'node')],
  ])('for %s %s', (words, _, instance) => {
    expect(waitsFor(instance)).toMatch(new RegExp(`^${words}`));
  });

  it('for another hook of its group, which no pass can complete: it is named', () => {
    const otherHooks = ['backup', 'audit'];
    const words = (instance: LeavingInstance) => waitsFor({ ...without(instance, 'node'), otherHooks });
    expect(words(waiting)).toBe('its first pass, the concurrency limit, or another hook: backup, audit');
    expect(words(without(waiting, 'hook'))).toBe('a hook that is not Drover’s: backup, audit');
  });

  it.each([
    [undefined, 'shop/web-1, shop/web-2'],
    [0, 'shop/web-1, shop/web-2'],
    [1, 'shop/web-1, shop/web-2 and 1 more'],
  ])('for the pods that its mark names, and %s more', (andMore, words) => {
    const mark = { waitingFor: ['shop/web-1', 'shop/web-2'], ...(andMore !== undefined && { andMore }) };
    expect(waitsFor(leavingInstanceIn('Terminating:Wait', { mark }))).toBe(words);
  });
});

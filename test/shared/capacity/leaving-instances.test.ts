import { describe, expect, it } from 'vitest';
import { findLeavingInstances, type LeavingInput } from '../../../shared/capacity/leaving-instances.ts';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import { markOf } from '../../cli/leaving-support.ts';
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
  it('are those that terminate, and those that serve with a marked Node', () => {
    const group = groupWith(['InService', 'InService', 'Terminating:Wait', 'Terminating:Wait']);
    expect(find({ groups: [group], nodes: [node(2), node(4)] })).toEqual([
      { instanceId: instanceId(2), node: node(2), member: group.instances[1], group },
      { instanceId: instanceId(3), member: group.instances[2], group },
      { instanceId: instanceId(4), node: node(4), member: group.instances[3], group },
    ]);
  });

  it('are also those of marked Nodes that are in no group, each once and last', () => {
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

  it('have the hook of Drover on their own group', () => {
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

  it('have the names of the other hooks that may hold them, and not of those on launches', () => {
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

  it('are none where nothing leaves', () => {
    expect(find({ groups: [groupWith(['InService', 'Pending:Wait', 'Standby'])] })).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { bySince, joiningLines, leavingLine } from '../../../shared/capacity/pass-lines.ts';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import { instanceId as leavingId, leavingInstanceIn, since } from '../../cli/leaving-support.ts';
import { groupWith, instanceId } from './fixtures.ts';

describe('the line of a leaving instance', () => {
  it('shows its Node, its group, its mark and what it waits for', () => {
    const mark = { until: '2026-11-21T09:00:00.000Z', waitingFor: ['shop/web-1'] };
    expect(leavingLine(leavingInstanceIn('Terminating:Wait', { mark }))).toEqual({
      node: 'node-1',
      instanceId: leavingId,
      autoScalingGroupName: 'workers',
      lifecycleState: 'Terminating:Wait',
      cause: 'terminating',
      since,
      until: '2026-11-21T09:00:00.000Z',
      renewedAt: since,
      waitsFor: 'shop/web-1',
    });
  });

  it('has null for everything that is unknown', () => {
    expect(leavingLine({ instanceId: leavingId })).toEqual({
      node: null,
      instanceId: leavingId,
      autoScalingGroupName: null,
      lifecycleState: null,
      cause: null,
      since: null,
      until: null,
      renewedAt: null,
      waitsFor: 'unknown',
    });
  });
});

describe('leaving instances', () => {
  const line = (id: string, begun: string | null) => ({ ...leavingLine({ instanceId: id }), since: begun });

  it('are sorted by start, then by instance ID; instances that have not begun come last', () => {
    const sorted = [
      line('i-1', '2026-11-21T07:59:59.000Z'),
      line('i-4', since),
      line('i-5', since),
      line('i-2', null),
      line('i-3', null),
    ];
    expect(sorted.toReversed().sort(bySince)).toEqual(sorted);
  });
});

describe('the joining instances of a group', () => {
  const hook: LifecycleHook = {
    lifecycleHookName: 'drover-node-joining',
    transition: 'launching',
    heartbeatTimeoutSeconds: 300,
    globalTimeoutSeconds: 3600,
    defaultResult: 'ABANDON',
  };
  const linesWith = (...hooks: readonly LifecycleHook[]) =>
    joiningLines(groupWith(['InService', 'Pending:Wait', 'Pending', 'Terminating:Wait']), {
      hooks: new Map([['workers', hooks]]),
      joiningHookName: 'drover-node-joining',
    });

  it('are the instances that wait on the Drover hook', () => {
    expect(linesWith(hook)).toEqual([
      { instanceId: instanceId(2), autoScalingGroupName: 'workers', lifecycleState: 'Pending:Wait' },
    ]);
  });

  it('are none without that hook', () => {
    expect(linesWith()).toEqual([]);
    expect(linesWith({ ...hook, lifecycleHookName: 'another' })).toEqual([]);
    expect(linesWith({ ...hook, transition: 'terminating' })).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { holdOf } from '../../../cli/leaving/hold.ts';
import type { LeavingInstance } from '../../../shared/capacity/leaving-instances.ts';
import { leavingInstanceIn } from '../leaving-support.ts';

const abandoning = (instance: LeavingInstance, retainsAbandoned: boolean): LeavingInstance => ({
  ...instance,
  ...(instance.hook && { hook: { ...instance.hook, defaultResult: 'ABANDON' } }),
  group: { autoScalingGroupName: 'workers', retainsAbandoned, tags: {} },
});

const waiting = leavingInstanceIn('Terminating:Wait');
const { node: _node, ...withoutNode } = waiting;
const { hook: _hook, ...withoutHook } = waiting;

describe('holdOf', () => {
  it.each([
    [
      'a hook with CONTINUE',
      waiting,
      'can be held until 2026-11-23T07:59:30Z, then it terminates, drained or not',
    ],
    [
      'a hook with ABANDON',
      abandoning(waiting, false),
      'can be held until 2026-11-23T07:59:30Z, then it is abandoned and terminates, drained or not',
    ],
    [
      'a hook with ABANDON in a group that retains instances',
      abandoning(waiting, true),
      'can be held until 2026-11-23T07:59:30Z, then it is abandoned and the group retains it for the operator',
    ],
    [
      'an instance that returns to its warm pool',
      leavingInstanceIn('Warmed:Pending:Wait'),
      'can be held until 2026-11-23T07:59:30Z, then it returns to its warm pool, drained or not',
    ],
    [
      'an instance without a marked Node',
      withoutNode,
      'can be held for 48h from the start of its wait, which is unknown without a marked Node, then it terminates, drained or not',
    ],
    [
      'an instance that waits on a foreign hook',
      withoutHook,
      'waits on a hook that is not Drover’s, for as long as that hook allows',
    ],
    [
      'an instance with a spot interruption notice',
      leavingInstanceIn('InService', { mark: { cause: 'spot-interruption' } }),
      'cannot be held: EC2 terminates it at about 2026-11-21T08:02:00Z, paused or not',
    ],
    [
      'an instance with a scheduled change',
      leavingInstanceIn('InService', { mark: { cause: 'scheduled-change' } }),
      'cannot be held beyond the time that EC2 announced: then it terminates, paused or not',
    ],
    [
      'an instance with a rebalance recommendation',
      leavingInstanceIn('InService', { mark: { cause: 'rebalance' } }),
      'stays in service while it is paused',
    ],
  ])('describes the hold of %s', (_, instance, words) => {
    expect(holdOf(instance)?.words).toBe(words);
  });

  it.each(['Terminating', 'Terminating:Proceed', 'Terminating:Retained', 'Terminated'])(
    'describes no hold in the state %s',
    (state) => {
      expect(holdOf(leavingInstanceIn(state))).toBeUndefined();
    },
  );
});

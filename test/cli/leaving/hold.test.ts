import { describe, expect, it } from 'vitest';
import { holdOf } from '../../../cli/leaving/hold.ts';
import type { LeavingInstance } from '../../../cli/leaving/leaving-instances.ts';
import { leavingInstanceIn } from '../leaving-support.ts';

const abandoning = (instance: LeavingInstance, retainsAbandoned: boolean): LeavingInstance => ({
  ...instance,
  ...(instance.hook && { hook: { ...instance.hook, defaultResult: 'ABANDON' } }),
  group: { autoScalingGroupName: 'workers', retainsAbandoned },
});

const waiting = leavingInstanceIn('Terminating:Wait');
const { node: _node, ...withoutNode } = waiting;
const { hook: _hook, ...withoutHook } = waiting;

describe('how long an instance can be held', () => {
  it.each([
    [
      'by the hook’s global timeout, less a margin',
      waiting,
      'can be held until 2026-11-23T07:59:30Z, then it terminates, drained or not',
    ],
    [
      'in the words of the default result',
      abandoning(waiting, false),
      'can be held until 2026-11-23T07:59:30Z, then it is abandoned and terminates, drained or not',
    ],
    [
      'and then for a person, where the group retains',
      abandoning(waiting, true),
      'can be held until 2026-11-23T07:59:30Z, then it is abandoned and the group retains it for a person',
    ],
    [
      'by the hook, on its return to the warm pool',
      leavingInstanceIn('Warmed:Pending:Wait'),
      'can be held until 2026-11-23T07:59:30Z, then it returns to its warm pool, drained or not',
    ],
    [
      'since an unknown time, without a marked Node',
      withoutNode,
      'can be held for 48h from the start of its wait, which is unknown without a marked Node, then it terminates, drained or not',
    ],
    [
      'by a hook that is not Drover’s',
      withoutHook,
      'waits on a hook that is not Drover’s, for as long as that hook allows',
    ],
    [
      'not at all after a spot interruption notice',
      leavingInstanceIn('InService', { mark: { cause: 'spot-interruption' } }),
      'cannot be held: EC2 terminates it at about 2026-11-21T08:02:00Z, paused or not',
    ],
    [
      'not past what EC2 has said',
      leavingInstanceIn('InService', { mark: { cause: 'scheduled-change' } }),
      'cannot be held beyond the time that EC2 announced: then it terminates, paused or not',
    ],
    [
      'without a limit, after advice only',
      leavingInstanceIn('InService', { mark: { cause: 'rebalance' } }),
      'stays in service while it is paused',
    ],
  ])('is described %s', (_, instance, words) => {
    expect(holdOf(instance)?.words).toBe(words);
  });

  it.each(['Terminating', 'Terminating:Proceed', 'Terminating:Retained', 'Terminated'])(
    'is not said of one in %s',
    (state) => {
      expect(holdOf(leavingInstanceIn(state))).toBeUndefined();
    },
  );
});

import { describe, expect, it } from 'vitest';
import { createWaitsTold } from '../../../../shared/lifecycle/intake/waits-told.ts';
import type { LeavingNotice } from '../../../../shared/lifecycle/notice.ts';

const noticedAt = '2026-11-20T09:14:08Z';
const waitOf = (instanceId: string): LeavingNotice => ({
  cause: 'terminating',
  instanceId,
  noticedAt,
  hook: { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving' },
});
const endOf = (instanceId: string): LeavingNotice => ({ cause: 'instance-gone', instanceId, noticedAt });

describe('the waits that were told', () => {
  it('are known by their instance, for an hour since they were last told', () => {
    let now = 0;
    const waits = createWaitsTold({ now: () => now });
    waits.remember(waitOf('i-1'));
    now += 3_000_000;
    waits.remember(waitOf('i-1'));
    now += 3_599_999;
    expect([waits.knowsEnd(endOf('i-1')), waits.knowsEnd(endOf('i-2'))]).toEqual([true, false]);
    now += 1;
    expect(waits.knowsEnd(endOf('i-1'))).toBe(false);
  });

  it('say nothing of another reason for the same instance', () => {
    const waits = createWaitsTold({ now: () => 0 });
    waits.remember(waitOf('i-1'));
    expect(waits.knowsEnd(waitOf('i-1'))).toBe(false);
    expect(waits.knowsEnd({ ...endOf('i-1'), cause: 'spot-interruption' })).toBe(false);
  });

  it('are bounded: the one that was longest untold goes first', () => {
    const waits = createWaitsTold({ now: () => 0 });
    for (let index = 0; index < 5000; index += 1) waits.remember(waitOf(`i-${index}`));
    waits.remember(waitOf('i-0'));
    waits.remember(waitOf('i-5000'));
    expect(['i-0', 'i-1', 'i-2'].map((id) => waits.knowsEnd(endOf(id)))).toEqual([true, false, true]);
  });
});

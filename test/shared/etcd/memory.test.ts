import { describe, expect, it } from 'vitest';
import { createEtcdMemory } from '../../../shared/etcd/memory.ts';

const content = { records: [], foreign: [] };

describe('the memory of a warm Lambda', () => {
  it('trusts the zone for a minute', () => {
    let now = 5000;
    const memory = createEtcdMemory({ now: () => now });
    expect(memory.zone()).toBeUndefined();
    memory.rememberZone(content);
    now += 59_999;
    expect(memory.zone()).toBe(content);
    now += 1;
    expect(memory.zone()).toBeUndefined();
  });

  it('knows a change to be in sync once Route 53 says so, and no other change', () => {
    const memory = createEtcdMemory({ now: () => 0 });
    const change = { changeId: 'C1', changedAt: 1000 };
    memory.recordChange(change, content);
    expect([memory.isInSync(1000), memory.pendingChange()]).toEqual([false, change]);
    memory.markInSync();
    expect([memory.isInSync(1000), memory.pendingChange()]).toEqual([true, undefined]);
    expect(memory.isInSync(1001)).toBe(false);
  });

  it('does not know a forgotten change to be in sync', () => {
    const memory = createEtcdMemory({ now: () => 0 });
    memory.recordChange({ changeId: 'C1', changedAt: 1000 }, content);
    memory.forgetChange();
    memory.markInSync();
    expect([memory.isInSync(1000), memory.pendingChange()]).toEqual([false, undefined]);
  });

  it('trusts for a minute that something is done, since an instance with a new root volume needs it again', () => {
    let now = 5000;
    const memory = createEtcdMemory({ now: () => now });
    memory.markDone('leaving i-1');
    now += 59_999;
    expect(memory.isDone('leaving i-1')).toBe(true);
    now += 1;
    expect(memory.isDone('leaving i-1')).toBe(false);
  });

  it('holds at most a thousand things, then starts empty', () => {
    const memory = createEtcdMemory({ now: () => 0 });
    for (let number = 0; number < 1000; number += 1) memory.markDone(`thing ${number}`);
    expect(memory.isDone('thing 0')).toBe(true);
    memory.markDone('one more');
    expect([memory.isDone('thing 0'), memory.isDone('one more')]).toEqual([false, true]);
  });

  it('trusts nothing after the clock was set back', () => {
    let now = 5_000_000;
    const memory = createEtcdMemory({ now: () => now });
    memory.rememberZone(content);
    memory.markDone('leaving i-1');
    now -= 3_600_000;
    expect([memory.zone(), memory.isDone('leaving i-1')]).toEqual([undefined, false]);
  });
});

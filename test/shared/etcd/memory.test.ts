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

  it('is not in sync after a change until it has seen so', () => {
    const memory = createEtcdMemory({ now: () => 0 });
    memory.inSync();
    memory.changed({ changeId: 'C1' }, content);
    expect([memory.sawSync(), memory.pendingChange()]).toEqual([false, { changeId: 'C1' }]);
    memory.inSync();
    expect([memory.sawSync(), memory.pendingChange()]).toEqual([true, undefined]);
  });

  it('holds a thousand things at most, then begins anew', () => {
    const memory = createEtcdMemory({ now: () => 0 });
    for (let number = 0; number < 1000; number += 1) memory.done(`thing ${number}`);
    expect(memory.wasDone('thing 0')).toBe(true);
    memory.done('one more');
    expect([memory.wasDone('thing 0'), memory.wasDone('one more')]).toEqual([false, true]);
  });
});

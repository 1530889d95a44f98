import { describe, expect, it } from 'vitest';
import { createLeavingMemory } from '../../../shared/leaving/memory.ts';

function createMemory() {
  let now = 0;
  const memory = createLeavingMemory({ now: () => now });
  return { memory, pass: (seconds: number) => void (now += seconds * 1000) };
}
const node = { metadata: { name: 'node-1' } };

describe('the memory of an execution environment', () => {
  it('is trusted for 45 seconds', () => {
    const { memory, pass } = createMemory();
    memory.remember('i-1', { node });
    pass(44);
    expect(memory.recall('i-1')).toEqual({ node });
    pass(1);
    expect(memory.recall('i-1')).toBeUndefined();
  });

  it('is as old as its oldest part when it grows', () => {
    const { memory, pass } = createMemory();
    memory.remember('i-1', { node });
    pass(40);
    memory.remember('i-1', { released: 'completed' });
    expect(memory.recall('i-1')).toEqual({ node, released: 'completed' });
    pass(5);
    expect(memory.recall('i-1')).toBeUndefined();
    memory.remember('i-1', { released: 'completed' });
    expect(memory.recall('i-1')).toEqual({ released: 'completed' });
  });

  it('is kept for each instance and can be deleted', () => {
    const { memory } = createMemory();
    memory.remember('i-1', { node });
    expect(memory.recall('i-2')).toBeUndefined();
    memory.forget('i-1');
    expect(memory.recall('i-1')).toBeUndefined();
  });

  it('is bounded: the least recently used instance is dropped first', () => {
    const { memory } = createMemory();
    for (let index = 0; index < 500; index += 1) memory.remember(`i-${index}`, { node });
    memory.remember('i-0', { released: 'completed' });
    memory.remember('i-500', { node });
    expect(memory.recall('i-1')).toBeUndefined();
    expect(memory.recall('i-0')).toEqual({ node, released: 'completed' });
    expect(memory.recall('i-2')).toEqual({ node });
  });

  it('keeps for longer that the Node of an instance was deleted here', () => {
    const { memory, pass } = createMemory();
    memory.remember('i-1', { nodeDeleted: true });
    pass(3600);
    expect(memory.recall('i-1')).toBeUndefined();
    expect(memory.hasDeletedNode('i-1')).toBe(true);
    expect(memory.hasDeletedNode('i-2')).toBe(false);
  });

  it('keeps that also if something else is remembered later, and does not trust it as new', () => {
    const { memory, pass } = createMemory();
    memory.remember('i-1', { nodeDeleted: true });
    pass(60);
    memory.remember('i-1', { node });
    expect([memory.hasDeletedNode('i-1'), memory.recall('i-1')]).toEqual([true, { node }]);
    memory.forget('i-1');
    expect(memory.hasDeletedNode('i-1')).toBe(false);
  });

  it('is not trusted after the clock was set back', () => {
    const { memory, pass } = createMemory();
    memory.remember('i-1', { node });
    pass(-3600);
    expect([memory.recall('i-1'), memory.nodeReadAt('i-1')]).toEqual([undefined, undefined]);
  });
});

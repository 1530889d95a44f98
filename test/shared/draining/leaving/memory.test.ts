import { describe, expect, it } from 'vitest';
import { createLeaverMemory } from '../../../../shared/draining/leaving/memory.ts';

function createWorld() {
  let now = 0;
  const memory = createLeaverMemory({ now: () => now });
  return { memory, pass: (seconds: number) => void (now += seconds * 1000) };
}
const node = { metadata: { name: 'node-1' } };

describe('what a warm Lambda remembers', () => {
  it('is trusted for 45 seconds', () => {
    const { memory, pass } = createWorld();
    memory.remember('i-1', { node });
    pass(44);
    expect(memory.recall('i-1')).toEqual({ node });
    pass(1);
    expect(memory.recall('i-1')).toBeUndefined();
  });

  it('grows, and stays as old as its oldest part', () => {
    const { memory, pass } = createWorld();
    memory.remember('i-1', { node });
    pass(40);
    memory.remember('i-1', { released: true });
    expect(memory.recall('i-1')).toEqual({ node, released: true });
    pass(5);
    expect(memory.recall('i-1')).toBeUndefined();
    memory.remember('i-1', { released: true });
    expect(memory.recall('i-1')).toEqual({ released: true });
  });

  it('is of one instance, and can be forgotten', () => {
    const { memory } = createWorld();
    memory.remember('i-1', { node });
    expect(memory.recall('i-2')).toBeUndefined();
    memory.forget('i-1');
    expect(memory.recall('i-1')).toBeUndefined();
  });

  it('is bounded: the one that was longest untouched goes first', () => {
    const { memory } = createWorld();
    for (let index = 0; index < 500; index += 1) memory.remember(`i-${index}`, { node });
    memory.remember('i-0', { released: true });
    memory.remember('i-500', { node });
    expect(memory.recall('i-1')).toBeUndefined();
    expect(memory.recall('i-0')).toEqual({ node, released: true });
    expect(memory.recall('i-2')).toEqual({ node });
  });

  it('holds the names of an instance for as long as there is room, whatever else is forgotten', () => {
    const { memory, pass } = createWorld();
    memory.rememberNames('i-0', ['node-0']);
    memory.forget('i-0');
    pass(86_400);
    expect(memory.namesOf('i-0')).toEqual(['node-0']);
    for (let index = 1; index <= 5000; index += 1) memory.rememberNames(`i-${index}`, [`node-${index}`]);
    expect(memory.namesOf('i-0')).toBeUndefined();
    expect(memory.namesOf('i-1')).toEqual(['node-1']);
  });
});

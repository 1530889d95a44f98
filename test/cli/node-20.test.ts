import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { groupBy, groupsByName, parse, withResolvers } from '../../cli/node-20.ts';

describe('the polyfills for Node 20', () => {
  it('provide Promise.withResolvers', async () => {
    const kept = withResolvers<number>();
    kept.resolve(1);
    await expect(kept.promise).resolves.toBe(1);
    const broken = withResolvers<number>();
    broken.reject(new Error('no'));
    await expect(broken.promise).rejects.toThrow('no');
  });

  it('provide Map.groupBy in the order of the items', () => {
    const keyOf = (item: number, index: number): string => `${item % 2}${index > 1 ? ' late' : ''}`;
    expect([...groupBy([1, 2, 3, 5], keyOf)]).toEqual([...Map.groupBy([1, 2, 3, 5], keyOf)]);
  });

  it('provide Object.groupBy, whose groups have no prototype', () => {
    const keyOf = (word: string): string => word.slice(0, 9);
    const words = ['constructor', 'a', '__proto__', 'constructed'];
    const groups = groupsByName(words, keyOf);
    expect(Object.entries(groups)).toEqual(Object.entries(Object.groupBy(words, keyOf)));
    expect(Object.getPrototypeOf(groups)).toBeNull();
    expect('toString' in groups).toBe(false);
  });

  it('are all that ES2024 has and Node 20 lacks', () => {
    const files = globSync('{cli,shared}/**/*.ts').filter((file) => file !== 'cli/node-20.ts');
    const calls = files.filter((file) =>
      /\.transfer(?:ToFixedLength)?\(|Atomics\.waitAsync/.test(readFileSync(file, 'utf8')),
    );
    expect(calls).toEqual([]);
  });

  it('provide URL.parse, which answers null for an invalid URL', () => {
    expect(parse('/a', 'https://example.com')?.href).toBe('https://example.com/a');
    expect(parse('/a')).toBeNull();
  });
});

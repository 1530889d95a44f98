import { describe, expect, it } from 'vitest';
import { groupBy, parse, withResolvers } from '../../cli/node-20.ts';

describe('the polyfills for Node 20', () => {
  it('provide Promise.withResolvers', async () => {
    const kept = withResolvers<number>();
    kept.resolve(1);
    await expect(kept.promise).resolves.toBe(1);
    const broken = withResolvers<number>();
    broken.reject(new Error('no'));
    await expect(broken.promise).rejects.toThrow('no');
  });

  it('provide Object.groupBy in the order of the items', () => {
    const keyOf = (item: number, index: number): string => `${item % 2}${index > 1 ? ' late' : ''}`;
    expect([...groupBy([1, 2, 3, 5], keyOf)]).toEqual([...Map.groupBy([1, 2, 3, 5], keyOf)]);
  });

  it('provide URL.parse, which answers null for an invalid URL', () => {
    expect(parse('/a', 'https://example.com')?.href).toBe('https://example.com/a');
    expect(parse('/a')).toBeNull();
  });
});

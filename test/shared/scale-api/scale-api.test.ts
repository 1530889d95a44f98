import { describe, expect, it } from 'vitest';
import { everyRoute } from './every-route.ts';

describe('the operations of the scale API', () => {
  it('are each there once', () => {
    const names = everyRoute.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(0);
  });

  it('let viewers read, and nothing else', () => {
    const forViewers = everyRoute.filter(({ role }) => role === 'viewer');
    expect(forViewers).toEqual(everyRoute.filter(({ method }) => method === 'GET'));
  });
});

import { describe, expect, it } from 'vitest';
import { routes } from '../../../shared/scale-api/routes.ts';

const everyRoute = Object.values(routes);

describe('the operations of the scale API', () => {
  it('are unique', () => {
    const names = everyRoute.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(0);
  });

  it('let viewers only read', () => {
    const forViewers = everyRoute.filter(({ role }) => role === 'viewer');
    expect(forViewers).toEqual(everyRoute.filter(({ method }) => method === 'GET'));
  });
});

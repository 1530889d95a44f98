import { describe, expect, it } from 'vitest';
import { createCluster, deployment, startNodes } from './support.ts';

const junk: readonly unknown[] = [null, 7, 'x', true, [], {}, [null], ['x'], { a: 1 }, -1];

function places(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const deeper = Object.entries(value).flatMap(([key, entry]) => places(entry, [...path, key]));
  return path.length === 0 ? deeper : [path, ...deeper];
}

function withJunk(object: object, path: readonly string[], value: unknown): object {
  const [step = '', ...rest] = path;
  const copy: Record<string, unknown> = { ...object };
  const inner = copy[step];
  copy[step] =
    rest.length === 0 || typeof inner !== 'object' || inner === null ? value : withJunk(inner, rest, value);
  return copy;
}

describe('an object with a field of the wrong kind', () => {
  const object = deployment('web', 1);

  it.each(places(object).map((path) => [path.join('.'), path] as const))(
    'at %s is accepted or refused, and does not crash the server',
    async (_, path) => {
      const cluster = createCluster();
      startNodes(cluster.kubernetes, ['a']);
      for (const value of junk) {
        const sent = withJunk(object, path, value);
        const { status } = await cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', sent);
        expect([201, 400, 404, 409, 422]).toContain(status);
        cluster.seconds(20);
      }
      expect((await cluster.call('GET', '/api/v1/pods')).status).toBe(200);
    },
  );
});

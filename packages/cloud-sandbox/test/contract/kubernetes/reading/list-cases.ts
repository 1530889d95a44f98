import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectBadRequest, expectInvalid, expectRefusal, forbidden, unsupported } from '../expectations.ts';
import { configMap, made, names } from '../objects.ts';
import type { KubernetesWorld } from '../world.ts';

/** ConfigMaps a to d, all labelled `all`; gives what to list them by. */
async function start(world: KubernetesWorld) {
  const path = `${await world.namespace()}/configmaps`;
  for (const name of ['a', 'b', 'c', 'd'])
    await made(world, path, configMap(name, {}, { labels: { all: 'x', letter: name } }));
  return { path, list: (query: string) => world.get(`${path}?labelSelector=all&${query}`) };
}

const listOptions = { kind: 'ListOptions', group: 'meta.k8s.io' };

/** Lists: order, pages, versions. */
export const listCases: Cases<KubernetesWorld> = {
  'a list is sorted by name, and its pages have one resourceVersion': async (world) => {
    const { path, list } = await start(world);
    const first = await list('limit=2');
    await made(world, path, configMap('aa', {}, { labels: { all: 'x' } }));
    const second = await list(`limit=1&continue=${first.body.metadata.continue}`);
    const third = await list(`continue=${second.body.metadata.continue}`);
    expect([first, second, third].map(names)).toEqual([['a', 'b'], ['c'], ['d']]);
    const versions = [first, second, third].map(({ body }) => body.metadata.resourceVersion);
    expect(new Set(versions).size).toBe(1);
    expect(third.body.metadata).not.toHaveProperty('continue');
  },

  'a page can be read again': async (world) => {
    const { list } = await start(world);
    const { continue: token } = (await list('limit=3')).body.metadata;
    expect(names(await list(`continue=${token}`))).toEqual(['d']);
    expect(names(await list(`continue=${token}`))).toEqual(['d']);
  },

  'remainingItemCount is set without a selector, and omitted with one': async (world) => {
    const { path, list } = await start(world);
    const plain = (await world.get(`${path}?limit=1`)).body.metadata;
    expect(plain.remainingItemCount).toBeGreaterThanOrEqual(3);
    expect((await list('limit=1')).body.metadata).not.toHaveProperty('remainingItemCount');
  },

  'a list with resourceVersion=0 ignores the limit': async (world) => {
    const { list } = await start(world);
    await expect
      .poll(async () => names(await list('resourceVersion=0&limit=1')))
      .toEqual(['a', 'b', 'c', 'd']);
    expect((await list('resourceVersion=0&limit=1')).body.metadata).not.toHaveProperty('continue');
  },

  'an unknown continue token is refused, and a token with a resourceVersion too': async (world) => {
    const { list } = await start(world);
    expectBadRequest(
      await list('limit=1&continue=garbage'),
      /^invalid continue token: continue key is not valid: /,
    );
    const { continue: token } = (await list('limit=3')).body.metadata;
    expectBadRequest(
      await list(`resourceVersion=5&continue=${token}`),
      'specifying resource version is not allowed when using continue',
    );
  },

  'invalid numbers in list options are refused': async (world) => {
    const { list } = await start(world);
    const words = 'strconv.ParseInt: parsing "x": invalid syntax';
    expectBadRequest(await list('limit=x'), words);
    expectBadRequest(await list('timeoutSeconds=x'), words);
    expectBadRequest(
      await list('resourceVersion=x'),
      'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    );
  },

  'a list with a future resourceVersion times out': async (world) => {
    const { path, list } = await start(world);
    const tooLarge = {
      code: 504,
      reason: 'Timeout',
      message: /^Timeout: Too large resource version: 99999999, current: \d+$/,
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    };
    const [many, one] = await Promise.all([
      list('resourceVersion=99999999'),
      world.get(`${path}/a?resourceVersion=99999999`),
    ]);
    for (const answer of [many, one]) {
      expectRefusal(answer, tooLarge);
      expect(answer.headers['retry-after']).toBe('1');
    }
  },

  'a list can accept an older resourceVersion': async (world) => {
    const { path, list } = await start(world);
    const { resourceVersion } = (await list('')).body.metadata;
    await made(world, path, configMap('e', {}, { labels: { all: 'x' } }));
    const later = await list(`resourceVersion=${resourceVersion}&resourceVersionMatch=NotOlderThan`);
    expect(names(later)).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']));
  },

  'a list with an exact older resourceVersion shows the state of that time': async (world) => {
    const { path, list } = await start(world);
    const { resourceVersion } = (await list('')).body.metadata;
    await made(world, path, configMap('e', {}, { labels: { all: 'x' } }));
    const exact = await list(`resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
    expect(names(exact)).toEqual(['a', 'b', 'c', 'd']);
  },

  'resourceVersionMatch needs a resourceVersion and one of two values': async (world) => {
    const { list } = await start(world);
    expectInvalid(await list('resourceVersionMatch=Exact'), {
      ...listOptions,
      causes: [
        forbidden(
          'resourceVersionMatch',
          'resourceVersionMatch is forbidden unless resourceVersion is provided',
        ),
      ],
    });
    expectInvalid(await list('resourceVersion=0&resourceVersionMatch=Exact'), {
      ...listOptions,
      causes: [
        forbidden(
          'resourceVersionMatch',
          'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
        ),
      ],
    });
    expectInvalid(await list('resourceVersion=1&resourceVersionMatch=Some'), {
      ...listOptions,
      causes: [unsupported('resourceVersionMatch', '"Some": supported values: "Exact", "NotOlderThan", ""')],
    });
  },

  'a list refuses sendInitialEvents': async (world) => {
    const { list } = await start(world);
    expectInvalid(await list('sendInitialEvents=true'), {
      ...listOptions,
      causes: [forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')],
    });
  },

  'a collection can be deleted by labels, and the answer has the deleted objects': async (world) => {
    const { path, list } = await start(world);
    const some = `${path}?labelSelector=${encodeURIComponent('letter in (a,b)')}`;
    expect(names(await world.delete(`${some}&dryRun=All`))).toEqual(['a', 'b']);
    expect(names(await list(''))).toEqual(['a', 'b', 'c', 'd']);
    const { body } = await world.delete(some);
    expect([body.kind, body.items.length]).toEqual(['ConfigMapList', 2]);
    expect(names(await list(''))).toEqual(['c', 'd']);
  },

  'deleting a collection keeps objects with finalizers': async (world) => {
    const { path, list } = await start(world);
    await world.patch(`${path}/a`, 'merge', { metadata: { finalizers: ['x.y/z'] } });
    await world.delete(`${path}?labelSelector=all`);
    const { items } = (await list('')).body;
    expect(items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['a']);
    expect(items[0].metadata.deletionTimestamp).toEqual(expect.any(String));
    await world.patch(`${path}/a`, 'merge', { metadata: { finalizers: null } });
  },
};

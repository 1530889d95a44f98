import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectBadRequest, expectInvalid, expectRefusal, forbidden, unsupported } from '../expectations.ts';
import { configMap, made, pod } from '../objects.ts';
import type { WatchEvent } from '../watch-events.ts';
import type { KubernetesWorld } from '../world.ts';

/** Not `kube-root-ca.crt`, which the controller manager puts into each new namespace when it comes to it. */
const mine = 'labelSelector=all';
const labelled = (name: string) => configMap(name, {}, { labels: { all: 'x' } });
const summary = (events: readonly WatchEvent[]) =>
  events.map(({ type, object }) => [type, object.metadata?.name]);
const enough = (count: number) => (events: readonly WatchEvent[]) => events.length >= count;

/** ConfigMaps a and b, and the version of a list of them. */
async function start(world: KubernetesWorld) {
  const path = `${await world.namespace()}/configmaps`;
  for (const name of ['a', 'b']) await made(world, path, labelled(name));
  const { resourceVersion } = (await world.get(path)).body.metadata;
  return { path, from: `${path}?watch=1&timeoutSeconds=5&resourceVersion=${resourceVersion}&${mine}` };
}

/** Watches: their start, their events and their end. */
export const watchCases: Cases<KubernetesWorld> = {
  'a watch without a resourceVersion, or with 0, starts with the existing objects': async (world) => {
    const { path } = await start(world);
    for (const version of ['', '&resourceVersion=0']) {
      const events = await world.watch(`${path}?watch=true&timeoutSeconds=5&${mine}${version}`, {
        during: () => world.post(path, labelled(`c${version.length}`)),
        until: (all) => all.some(({ object }) => object.metadata.name === `c${version.length}`),
      });
      expect(summary(events).slice(0, 2)).toEqual([
        ['ADDED', 'a'],
        ['ADDED', 'b'],
      ]);
      expect(events.at(-1)?.type).toBe('ADDED');
    }
  },

  'a watch from a resourceVersion sends the later changes in order': async (world) => {
    const { path, from } = await start(world);
    await world.patch(`${path}/a`, 'merge', { data: { x: '1' } });
    const events = await world.watch(from, {
      during: async () => {
        await world.delete(`${path}/b`);
        await world.post(path, labelled('c'));
      },
      until: enough(3),
    });
    expect(summary(events)).toEqual([
      ['MODIFIED', 'a'],
      ['DELETED', 'b'],
      ['ADDED', 'c'],
    ]);
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual(versions.toSorted((left, right) => left - right));
    expect(new Set(versions).size).toBe(3);
  },

  'a deletion event has a resourceVersion of its own': async (world) => {
    const { path, from } = await start(world);
    const before = Number((await world.get(`${path}/a`)).body.metadata.resourceVersion);
    const [event] = await world.watch(from, {
      during: () => world.delete(`${path}/a`),
      until: enough(1),
    });
    expect(event?.type).toBe('DELETED');
    expect(Number(event?.object.metadata.resourceVersion)).toBeGreaterThan(before);
  },

  'an object that starts or stops matching is sent as ADDED or DELETED': async (world) => {
    const { path, from } = await start(world);
    const label = (name: string, all: string | null) =>
      world.patch(`${path}/${name}`, 'merge', { metadata: { labels: { all } } });
    await label('b', null);
    const events = await world.watch(from, {
      during: async () => {
        await label('a', null);
        await label('a', 'y');
        await label('a', 'z');
      },
      until: enough(4),
    });
    expect(summary(events)).toEqual([
      ['DELETED', 'b'],
      ['DELETED', 'a'],
      ['ADDED', 'a'],
      ['MODIFIED', 'a'],
    ]);
  },

  'one object can be watched by its name': async (world) => {
    const { path, from } = await start(world);
    const events = await world.watch(`${from}&fieldSelector=metadata.name%3Db`, {
      during: async () => {
        await world.delete(`${path}/a`);
        await world.delete(`${path}/b`);
      },
      until: enough(1),
    });
    expect(summary(events)).toEqual([['DELETED', 'b']]);
  },

  'a watch sends each step of the end of a pod': async (world) => {
    const path = `${await world.namespace()}/pods`;
    const { metadata } = await made(world, path, pod('a', { spec: { nodeName: 'nowhere' } }));
    const watch = `${path}?watch=1&timeoutSeconds=5&resourceVersion=${metadata.resourceVersion}`;
    const events = await world.watch(watch, {
      during: async () => {
        await world.delete(`${path}/a`);
        await world.delete(`${path}/a?gracePeriodSeconds=0`);
      },
      until: (all) => all.at(-1)?.type === 'DELETED',
    });
    const graces = events.map(({ type, object }) => [type, object.metadata.deletionGracePeriodSeconds]);
    expect(graces[0]).toEqual(['MODIFIED', 30]);
    expect(graces.at(-1)).toEqual(['DELETED', 0]);
  },

  'a watch from a future resourceVersion waits': async (world) => {
    const { path } = await start(world);
    const { status, headers, text } = await world.get(
      `${path}?watch=1&timeoutSeconds=1&resourceVersion=99999999`,
    );
    expect([status, headers['content-type'], text]).toEqual([200, 'application/json', '']);
  },

  'a watch ends at its timeout': async (world) => {
    const { from } = await start(world);
    const began = performance.now();
    const { status, text } = await world.get(from.replace('timeoutSeconds=5', 'timeoutSeconds=1'));
    expect([status, text]).toEqual([200, '']);
    expect(performance.now() - began).toBeGreaterThan(900);
  },

  'initial events end with an annotated bookmark': async (world) => {
    const { path } = await start(world);
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const events = await world.watch(`${path}?watch=1&timeoutSeconds=5&${mine}&${query}`, {
      until: (all) => all.at(-1)?.type === 'BOOKMARK',
    });
    expect(summary(events)).toEqual([
      ['ADDED', 'a'],
      ['ADDED', 'b'],
      ['BOOKMARK', undefined],
    ]);
    expect(events.at(-1)?.object).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        resourceVersion: expect.stringMatching(/^\d+$/),
        annotations: { 'k8s.io/initial-events-end': 'true' },
      },
    });
  },

  'a watch without allowWatchBookmarks gets no bookmarks': async (world) => {
    const { path } = await start(world);
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const events = await world.watch(`${path}?watch=1&timeoutSeconds=1&${mine}&${query}`, {});
    expect(summary(events)).toEqual([
      ['ADDED', 'a'],
      ['ADDED', 'b'],
    ]);
  },

  'sendInitialEvents needs resourceVersionMatch': async (world) => {
    const { path } = await start(world);
    const options = { kind: 'ListOptions', group: 'meta.k8s.io' };
    const needed = forbidden(
      'resourceVersionMatch',
      'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    );
    const watch = (query: string) => world.get(`${path}?watch=1&timeoutSeconds=1&${query}`);
    expectInvalid(await watch('sendInitialEvents=true'), { ...options, causes: [needed] });
    expectInvalid(await watch('resourceVersionMatch=Exact&resourceVersion=1'), {
      ...options,
      causes: [
        forbidden(
          'resourceVersionMatch',
          'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
        ),
        unsupported('resourceVersionMatch', '"Exact": supported values: "NotOlderThan"'),
      ],
    });
  },

  'an invalid watch is refused before it starts': async (world) => {
    const { path } = await start(world);
    expectBadRequest(
      await world.get(`${path}?watch=1&labelSelector=a%20in%20(b`),
      /^unable to parse requirement: /,
    );
    expectBadRequest(await world.get(`${path}?watch=1&timeoutSeconds=x`), /^strconv.ParseInt: parsing "x"/);
    expectRefusal(await world.get(`${path}?watch=1&resourceVersion=x`), {
      code: 500,
      message: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    });
  },

  'a watch of tables sends the columns once': async (world) => {
    const { path } = await start(world);
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const events = await world.watch(`${path}?watch=1&timeoutSeconds=5&${mine}`, {
      headers: { accept },
      until: enough(2),
    });
    expect(
      events.map(({ object }) => [object.kind, object.columnDefinitions?.length, object.rows[0].cells[0]]),
    ).toEqual([
      ['Table', 3, 'a'],
      ['Table', undefined, 'b'],
    ]);
  },

  'a watch of metadata sends metadata only': async (world) => {
    const { path } = await start(world);
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
    const [first] = await world.watch(`${path}?watch=1&timeoutSeconds=5&${mine}`, {
      headers: { accept },
      until: enough(1),
    });
    expect([first?.object.kind, first?.object.metadata.name]).toEqual(['PartialObjectMetadata', 'a']);
    expect(first?.object).not.toHaveProperty('data');
  },

  'a watch streams JSON lines, and refuses YAML': async (world) => {
    const { path } = await start(world);
    const { status, text } = await world.get(`${path}?watch=1&timeoutSeconds=1`, {
      accept: 'application/yaml',
    });
    expect(status).toBe(406);
    expect(text).toContain('only the following media types are accepted: application/json;stream=watch');
  },
};

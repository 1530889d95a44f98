import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectBadRequest, expectInvalid, invalid } from '../expectations.ts';
import { inGroup, made, nameOf, names } from '../objects.ts';
import type { KubernetesWorld } from '../world.ts';

/** Events of one namespace, by the core group and by their own. */
async function start(world: KubernetesWorld) {
  const namespace = await world.namespace();
  const regarding = { kind: 'Pod', name: 'p', namespace: nameOf(namespace) };
  return {
    path: `${namespace}/events`,
    groupPath: `${inGroup(namespace, 'events.k8s.io/v1')}/events`,
    core: (fields: object = {}) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { generateName: 'event-' },
      involvedObject: regarding,
      reason: 'R',
      message: 'm',
      type: 'Normal',
      ...fields,
    }),
    own: (fields: object = {}) => ({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { generateName: 'event-' },
      regarding,
      reason: 'R',
      action: 'A',
      note: 'm',
      type: 'Normal',
      reportingController: 'c.d/e',
      reportingInstance: 'i',
      eventTime: '2026-01-01T00:00:00.000000Z',
      ...fields,
    }),
  };
}

/** Events, which are in two groups. */
export const eventCases: Cases<KubernetesWorld> = {
  'an event of the core group is stored unchanged, except for fractions of seconds': async (world) => {
    const { path, core } = await start(world);
    const at = '2026-01-01T00:00:00.123Z';
    const event = await made(
      world,
      path,
      core({ firstTimestamp: at, lastTimestamp: at, count: 1, type: 'Odd' }),
    );
    expect(event).toMatchObject({ count: 1, type: 'Odd', message: 'm' });
    expect([event.firstTimestamp, event.lastTimestamp]).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00Z',
    ]);
    expect([event.eventTime, event.reportingComponent, event.reportingInstance]).toEqual([null, '', '']);
  },

  'an event about a cluster-scoped object is in the namespace default': async (world) => {
    const { path, core } = await start(world);
    const involvedObject = { kind: 'Node', name: 'n', apiVersion: 'v1', uid: 'u' };
    const event = core({ involvedObject, metadata: { generateName: 'n.' } });
    const { metadata } = await made(world, '/api/v1/namespaces/default/events', event);
    expect(metadata.name).toMatch(/^n\..{5}$/);
    await world.delete(`/api/v1/namespaces/default/events/${metadata.name}`);
    const { status, body } = await world.post(path, core({ involvedObject }));
    expect([status, body.details.causes]).toEqual([
      422,
      [invalid('involvedObject.namespace', '"": does not match event.namespace')],
    ]);
  },

  'an event is in the namespace of its object': async (world) => {
    const { path, core } = await start(world);
    const involvedObject = { kind: 'Pod', name: 'p', namespace: 'other' };
    expectInvalid(await world.post(path, core({ metadata: { name: 'a' }, involvedObject })), {
      kind: 'Event',
      name: 'a',
      causes: [invalid('involvedObject.namespace', '"other": does not match event.namespace')],
    });
  },

  'an event with an invalid time is refused': async (world) => {
    const { path, core } = await start(world);
    expectBadRequest(
      await world.post(path, core({ firstTimestamp: 'yesterday' })),
      /^Event in version "v1" cannot be handled as a Event: parsing time "yesterday" /,
    );
  },

  'an event of either group can be read through both, in their own formats': async (world) => {
    const { path, groupPath, own, core } = await start(world);
    const { metadata } = await made(world, groupPath, own());
    const asCore = (await world.get(`${path}/${metadata.name}`)).body;
    expect(asCore).toMatchObject({
      kind: 'Event',
      apiVersion: 'v1',
      message: 'm',
      involvedObject: { name: 'p' },
      reportingComponent: 'c.d/e',
      reportingInstance: 'i',
      action: 'A',
      eventTime: '2026-01-01T00:00:00.000000Z',
    });
    const other = await made(world, path, core());
    const asOwn = (await world.get(`${groupPath}/${other.metadata.name}`)).body;
    expect(asOwn).toMatchObject({ apiVersion: 'events.k8s.io/v1', note: 'm', regarding: { name: 'p' } });
    expect(names(await world.get(groupPath))).toEqual(
      expect.arrayContaining([metadata.name, other.metadata.name]),
    );
  },

  'an event of the new group needs a time, a controller and an action': async (world) => {
    const { groupPath, own } = await start(world);
    const missing = async (fields: object) => {
      const { status, body } = await world.post(groupPath, own(fields));
      expect(status).toBe(422);
      return body.details.causes.map(({ field }: { field: string }) => field).toSorted();
    };
    expect(await missing({ action: '', reason: '', reportingInstance: '' })).toEqual([
      'action',
      'reason',
      'reportingInstance',
    ]);
    expect(await missing({ eventTime: undefined })).toEqual(['eventTime']);
  },

  'a note of the new group has at most 1024 characters': async (world) => {
    const { path, groupPath, own, core } = await start(world);
    const { status, body } = await world.post(groupPath, own({ note: 'x'.repeat(1025) }));
    expect([status, body.details.causes[0]]).toEqual([
      422,
      invalid('message', '"": can have at most 1024 characters'),
    ]);
    expect((await world.post(path, core({ message: 'x'.repeat(2000) }))).status).toBe(201);
  },

  'events can be filtered by their object, with the field names of each group': async (world) => {
    const { path, groupPath, core, own } = await start(world);
    await made(world, path, core({ metadata: { name: 'a' } }));
    await made(world, groupPath, own({ metadata: { name: 'b' }, reason: 'Other' }));
    expect(names(await world.get(`${path}?fieldSelector=involvedObject.name%3Dp,reason%3DOther`))).toEqual([
      'b',
    ]);
    expect(names(await world.get(`${groupPath}?fieldSelector=regarding.name%3Dp,reason%3DR`))).toEqual(['a']);
  },

  'events of the new group can be patched, watched and deleted': async (world) => {
    const { groupPath, own } = await start(world);
    const { metadata } = await made(world, groupPath, own({ metadata: { name: 'a' } }));
    const series = { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' };
    const events = await world.watch(
      `${groupPath}?watch=1&timeoutSeconds=5&resourceVersion=${metadata.resourceVersion}`,
      {
        during: () => world.patch(`${groupPath}/a`, 'merge', { series }),
        until: (all) => all.length > 0,
      },
    );
    expect(events[0]).toMatchObject({ type: 'MODIFIED', object: { apiVersion: 'events.k8s.io/v1', series } });
    expect((await world.delete(groupPath)).body.kind).toBe('EventList');
    expect(names(await world.get(groupPath))).toEqual([]);
  },
};

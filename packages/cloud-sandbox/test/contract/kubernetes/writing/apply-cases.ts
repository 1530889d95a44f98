import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { causeOf, expectBadRequest, expectInvalid, expectRefusal, required } from '../expectations.ts';
import { configMap, made, nameOf } from '../objects.ts';
import type { Answer, KubernetesWorld } from '../world.ts';

type Data = Readonly<Record<string, string>>;

/** Applies ConfigMaps `a` of one namespace. */
async function start(world: KubernetesWorld) {
  const path = `${await world.namespace()}/configmaps/a`;
  const send = (query: string, body: unknown) => world.patch(`${path}?${query}`, 'apply', body);
  return {
    path,
    send,
    apply: (manager: string, data: Data, { force = false, metadata = {} } = {}) =>
      send(`fieldManager=${manager}&force=${force}`, configMap('a', data, metadata)),
  };
}

function expectApplyConflict(answer: Answer, fields: Readonly<Record<string, string>>): void {
  const causes = Object.entries(fields).map(([field, manager]) =>
    causeOf('FieldManagerConflict', field, `conflict with ${manager}`),
  );
  const [first] = Object.values(fields);
  const list = Object.keys(fields);
  const message =
    list.length === 1
      ? `Apply failed with 1 conflict: conflict with ${first}: ${list[0]}`
      : `Apply failed with ${list.length} conflicts: conflicts with ${first}:\n- ${list.join('\n- ')}`;
  expectRefusal(answer, { code: 409, reason: 'Conflict', message, details: { causes } });
}

const dataOf = ({ body }: Answer): unknown => body.data;

/** Server-side apply: who says what, and who may say otherwise. */
export const applyCases: Cases<KubernetesWorld> = {
  'an apply creates a missing object, and changes an existing one': async (world) => {
    const { apply } = await start(world);
    const first = await apply('one', { b: '1' }, { metadata: { labels: { l: '1' } } });
    expect([first.status, dataOf(first)]).toEqual([201, { b: '1' }]);
    expect(first.body.metadata.managedFields).toEqual([
      expect.objectContaining({
        manager: 'one',
        operation: 'Apply',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:b': {} }, 'f:metadata': { 'f:labels': { 'f:l': {} } } },
      }),
    ]);
    const second = await apply('one', { b: '2' });
    expect([second.status, dataOf(second), second.body.metadata.labels]).toEqual([
      200,
      { b: '2' },
      undefined,
    ]);
  },

  'an apply needs a field manager': async (world) => {
    const { send } = await start(world);
    expectInvalid(await send('', configMap('a')), {
      kind: 'PatchOptions',
      group: 'meta.k8s.io',
      causes: [required('fieldManager', 'Required value: is required for apply patch')],
    });
  },

  'an apply needs a matching kind, name and namespace': async (world) => {
    const { send } = await start(world);
    const query = 'fieldManager=one';
    expectBadRequest(await send(query, { metadata: { name: 'a' } }), 'invalid object type: /, Kind=');
    expectBadRequest(
      await send(query, configMap('b')),
      'the name of the object (b) does not match the name on the URL (a)',
    );
    expectBadRequest(
      await send(query, configMap('a', {}, { namespace: 'other' })),
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  },

  'an apply with managedFields is refused': async (world) => {
    const { send } = await start(world);
    const managed = configMap('a', {}, { managedFields: [{ manager: 'x' }] });
    expectBadRequest(await send('fieldManager=one', managed), 'metadata.managedFields must be nil');
  },

  'an invalid body is not applied': async (world) => {
    const { send } = await start(world);
    expectBadRequest(
      await send('fieldManager=one', 'a: ['),
      /^error decoding YAML: error converting YAML to JSON: /,
    );
    expectBadRequest(await send('fieldManager=one', '[]'), /^error decoding YAML: .*cannot unmarshal array/);
  },

  'an apply of a field that another manager applied with another value is a conflict, unless it is forced':
    async (world) => {
      const { apply } = await start(world);
      await apply('one', { b: '1', c: '1' });
      expectApplyConflict(await apply('two', { b: '2' }), { '.data.b': '"one"' });
      expectApplyConflict(await apply('two', { b: '2', c: '2' }), { '.data.b': '"one"', '.data.c': '"one"' });
      const forced = await apply('two', { b: '2' }, { force: true });
      expect(dataOf(forced)).toEqual({ b: '2', c: '1' });
      expectApplyConflict(await apply('one', { b: '1', c: '1' }), { '.data.b': '"two"' });
    },

  'a field that two managers apply with the same value is removed with the second manager': async (world) => {
    const { apply } = await start(world);
    await apply('one', { b: '1', c: '1' });
    expect((await apply('two', { b: '1' })).status).toBe(200);
    expect(dataOf(await apply('one', { c: '1' }))).toEqual({ b: '1', c: '1' });
    expect(dataOf(await apply('two', {}))).toEqual({ c: '1' });
  },

  'an applied empty map does not own the fields in it': async (world) => {
    const { apply } = await start(world);
    await apply('one', { b: '1' });
    const { status, body } = await apply('two', {});
    expect([status, body.data]).toEqual([200, { b: '1' }]);
  },

  'an apply of a field that an update wrote is a conflict': async (world) => {
    const { path, apply } = await start(world);
    await apply('one', { b: '1' });
    await world.patch(`${path}?fieldManager=other`, 'merge', { data: { c: '1' } });
    expectApplyConflict(await apply('one', { b: '1', c: '2' }), { '.data.c': '"other" using v1' });
  },

  'a dry run of an apply reports conflicts, and changes nothing': async (world) => {
    const { path, send, apply } = await start(world);
    await apply('one', { b: '1' });
    const dry = (manager: string) => send(`fieldManager=${manager}&dryRun=All`, configMap('a', { b: '2' }));
    expectApplyConflict(await dry('two'), { '.data.b': '"one"' });
    expect(dataOf(await dry('one'))).toEqual({ b: '2' });
    expect((await world.get(path)).body.data).toEqual({ b: '1' });
  },

  'an apply with another UID or resourceVersion is a conflict': async (world) => {
    const { apply } = await start(world);
    expectRefusal(await apply('one', {}, { metadata: { uid: 'mine' } }), {
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": uid mismatch: the provided object specified uid mine, and no existing object was found',
      details: { name: 'a', kind: 'configmaps' },
    });
    await apply('one', { b: '1' });
    const older = await apply('one', { b: '2' }, { metadata: { resourceVersion: '1' } });
    expect([older.status, older.body.reason]).toEqual([409, 'Conflict']);
  },

  'list items are applied by key, and taints as a whole': async (world) => {
    const namespace = await world.namespace();
    const container = { name: 'main', image: 'example:1' };
    const spec = { automountServiceAccountToken: false, schedulerName: 'nobody', containers: [container] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec };
    const applied = await world.patch(`${namespace}/pods/a?fieldManager=one`, 'apply', pod);
    const fields = applied.body.metadata.managedFields[0].fieldsV1['f:spec'];
    expect(fields['f:containers']).toEqual({
      'k:{"name":"main"}': { '.': {}, 'f:image': {}, 'f:name': {} },
    });
    const name = `node-${nameOf(namespace)}`;
    const taints = [{ key: 'a', effect: 'NoSchedule' }];
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { taints } };
    const { body } = await world.patch(`/api/v1/nodes/${name}?fieldManager=one`, 'apply', node);
    expect(body.metadata.managedFields[0].fieldsV1).toEqual({ 'f:spec': { 'f:taints': {} } });
    await world.delete(`/api/v1/nodes/${name}`);
  },

  'an apply with unknown fields fails': async (world) => {
    const { send } = await start(world);
    const answer = await send('fieldManager=one', { ...configMap('a'), dat: {} });
    expect([answer.status, answer.body.message]).toEqual([
      500,
      expect.stringMatching(/^failed to create typed patch object .*: \.dat: field not declared in schema$/),
    ]);
  },

  'an apply of a status does not create an object': async (world) => {
    const namespace = await world.namespace();
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, status: { phase: 'Running' } };
    const { status } = await world.patch(`${namespace}/pods/a/status?fieldManager=one`, 'apply', pod);
    expect(status).toBe(404);
    expect((await made(world, `${namespace}/configmaps`, configMap('a'))).metadata.name).toBe('a');
  },
};

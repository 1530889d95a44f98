import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import {
  expectBadRequest,
  expectConflict,
  expectInvalid,
  expectNotFound,
  expectRefusal,
  forbidden,
  invalid,
  unsupported,
} from '../expectations.ts';
import { configMap, made } from '../objects.ts';
import type { Answer, KubernetesWorld } from '../world.ts';

/** A ConfigMap `a` with `b: c`. */
async function start(world: KubernetesWorld) {
  const path = `${await world.namespace()}/configmaps`;
  const object = await made(world, path, configMap('a', { b: 'c' }));
  return { path: `${path}/a`, object };
}

const expectNotApplied = (answer: Answer): void =>
  expectRefusal(answer, {
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });

/** JSON patch and merge patch, and what every patch is held against. */
export const patchCases: Cases<KubernetesWorld> = {
  'a patch with an unknown content type is refused, even for a missing object': async (world) => {
    const { path } = await start(world);
    for (const type of ['text/plain', 'application/json'])
      for (const target of [path, `${path}-none`])
        expectRefusal(await world.call('PATCH', target, { body: {}, headers: { 'content-type': type } }), {
          code: 415,
          reason: 'UnsupportedMediaType',
          message: '415: Unsupported Media Type',
          details: {},
        });
  },

  'a missing object cannot be patched': async (world) => {
    const { path } = await start(world);
    for (const type of ['strategic', 'merge', 'json'] as const)
      expectNotFound(
        await world.patch(`${path}-none`, type, type === 'json' ? [] : {}),
        'configmaps',
        'a-none',
      );
  },

  'a merge patch sets, removes with null, and replaces lists': async (world) => {
    const { path } = await start(world);
    const finalizers = ['x.y/a', 'x.y/b'];
    await world.patch(path, 'merge', { data: { d: 'e' }, metadata: { finalizers } });
    const { body } = await world.patch(path, 'merge', {
      data: { b: null },
      metadata: { finalizers: ['x.y/b'] },
    });
    expect([body.data, body.metadata.finalizers]).toEqual([{ d: 'e' }, ['x.y/b']]);
    const none = await world.patch(path, 'merge', { data: null, metadata: { finalizers: null } });
    expect([none.body.data, none.body.metadata.finalizers]).toEqual([undefined, undefined]);
  },

  'an invalid patch is refused': async (world) => {
    const { path } = await start(world);
    expectBadRequest(
      await world.patch(path, 'merge', '{'),
      'error decoding patch: unexpected end of JSON input',
    );
    expectBadRequest(
      await world.patch(path, 'merge', '[]'),
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    );
    expectBadRequest(await world.patch(path, 'strategic', '{'), 'unexpected end of JSON input');
    expectBadRequest(
      await world.patch(path, 'strategic', '[]'),
      'json: cannot unmarshal array into Go value of type map[string]interface {}',
    );
    expectBadRequest(
      await world.patch(path, 'json', '{}'),
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
    expectBadRequest(
      await world.patch(path, 'json', '[1]'),
      'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp',
    );
  },

  'a JSON patch adds, copies, moves, replaces and removes': async (world) => {
    const { path } = await start(world);
    const { body } = await world.patch(path, 'json', [
      { op: 'add', path: '/data/d', value: '1' },
      { op: 'copy', from: '/data/d', path: '/data/e' },
      { op: 'move', from: '/data/b', path: '/data/f' },
      { op: 'replace', path: '/data/d', value: '2' },
      { op: 'add', path: '/metadata/labels', value: { 'x.y/z': '1' } },
      { op: 'replace', path: '/metadata/labels/x.y~1z', value: '3' },
    ]);
    expect([body.data, body.metadata.labels]).toEqual([{ d: '2', e: '1', f: 'c' }, { 'x.y/z': '3' }]);
  },

  'a JSON patch that replaces a missing field adds it': async (world) => {
    const { path } = await start(world);
    const { body } = await world.patch(path, 'json', [{ op: 'replace', path: '/data/d', value: '1' }]);
    expect(body.data).toEqual({ b: 'c', d: '1' });
  },

  'a JSON patch with a failed test is not applied, and the error does not name the test': async (world) => {
    const { path } = await start(world);
    const set = { op: 'add', path: '/data/d', value: '1' };
    expectNotApplied(await world.patch(path, 'json', [set, { op: 'test', path: '/data/b', value: 'x' }]));
    expectNotApplied(await world.patch(path, 'json', [set, { op: 'test', path: '/data/x', value: 'x' }]));
    expect((await world.get(path)).body.data).toEqual({ b: 'c' });
  },

  'a JSON patch can test that a field is missing': async (world) => {
    const { path } = await start(world);
    const { status } = await world.patch(path, 'json', [{ op: 'test', path: '/data/x', value: null }]);
    expect(status).toBe(200);
  },

  'a JSON patch with a missing path or an unknown operation is not applied': async (world) => {
    const { path } = await start(world);
    for (const operation of [
      { op: 'remove', path: '/data/x' },
      { op: 'add', path: '/metadata/annotations/a', value: '1' },
      { op: 'unheard', path: '/data/b', value: '1' },
    ])
      expectNotApplied(await world.patch(path, 'json', [operation]));
  },

  'an empty patch changes nothing': async (world) => {
    const { path, object } = await start(world);
    for (const type of ['strategic', 'merge', 'json'] as const) {
      const { body } = await world.patch(path, type, type === 'json' ? [] : {});
      expect(body.metadata.resourceVersion).toBe(object.metadata.resourceVersion);
    }
  },

  'a patch with an older resourceVersion is a conflict': async (world) => {
    const { path } = await start(world);
    const why = 'the object has been modified; please apply your changes to the latest version and try again';
    for (const type of ['strategic', 'merge'] as const)
      expectConflict(
        await world.patch(path, type, { metadata: { resourceVersion: '1' }, data: { d: 'e' } }),
        'configmaps',
        'a',
        why,
      );
  },

  'a patch with another UID is invalid': async (world) => {
    const { path } = await start(world);
    const cause = invalid('metadata.uid', '"other": field is immutable');
    for (const type of ['strategic', 'merge'] as const)
      expectInvalid(await world.patch(path, type, { metadata: { uid: 'other' }, data: { d: 'e' } }), {
        kind: 'ConfigMap',
        name: 'a',
        causes: [cause, cause],
      });
  },

  'a patch cannot change the name or the namespace': async (world) => {
    const { path } = await start(world);
    expectBadRequest(
      await world.patch(path, 'merge', { metadata: { name: 'other' } }),
      'the name of the object (other) does not match the name on the URL (a)',
    );
    expectBadRequest(
      await world.patch(path, 'merge', { metadata: { namespace: 'other' } }),
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  },

  'a patch cannot change the kind or the type of a field': async (world) => {
    const { path } = await start(world);
    for (const patch of [{ kind: 'Secret' }, { apiVersion: 'v2' }, { data: { b: 1 } }]) {
      const { status, body } = await world.patch(path, 'merge', patch);
      expect([status, body.reason, body.details.causes?.[0].field]).toEqual([422, 'Invalid', 'patch']);
    }
    expect((await world.get(path)).body.data).toEqual({ b: 'c' });
  },

  'a dry run of a patch changes nothing, and another value than All is refused': async (world) => {
    const { path } = await start(world);
    const { body } = await world.patch(`${path}?dryRun=All`, 'merge', { data: { b: 'd' } });
    expect(body.data).toEqual({ b: 'd' });
    expect((await world.get(path)).body.data).toEqual({ b: 'c' });
    expectInvalid(await world.patch(`${path}?dryRun=Some`, 'merge', {}), {
      kind: 'PatchOptions',
      group: 'meta.k8s.io',
      causes: [unsupported('dryRun', '["Some"]: supported values: "All"')],
    });
  },

  'force is refused for patches other than apply': async (world) => {
    const { path } = await start(world);
    expectInvalid(await world.patch(`${path}?force=true`, 'merge', {}), {
      kind: 'PatchOptions',
      group: 'meta.k8s.io',
      causes: [forbidden('force', 'may not be specified for non-apply patch')],
    });
  },

  'a patch with unknown fields is refused with strict validation': async (world) => {
    const { path } = await start(world);
    const answer = await world.patch(`${path}?fieldValidation=Strict`, 'merge', { dat: {} });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      expect.stringContaining('strict decoding error: unknown field "dat"'),
    ]);
    const warned = await world.patch(`${path}?fieldValidation=Warn`, 'merge', { dat: {} });
    expect([warned.status, warned.headers.warning]).toEqual([200, '299 - "unknown field \\"dat\\""']);
  },
};

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
import { configMap, deployment, inGroup, made, pod } from '../objects.ts';
import type { KubernetesWorld } from '../world.ts';

const modified =
  'the object has been modified; please apply your changes to the latest version and try again';

/** A ConfigMap `a` and its path. */
async function start(world: KubernetesWorld, metadata: object = {}) {
  const path = `${await world.namespace()}/configmaps`;
  const object = await made(world, path, configMap('a', { b: 'c' }, metadata));
  return { path: `${path}/a`, object };
}

/** What a PUT changes, what it may not, and what it is held against. */
export const updateCases: Cases<KubernetesWorld> = {
  'an update of a missing object is not found': async (world) => {
    const path = `${await world.namespace()}/configmaps/none`;
    expectNotFound(await world.put(path, configMap('none')), 'configmaps', 'none');
  },

  'an update with another name than the path is refused': async (world) => {
    const { path } = await start(world);
    expectBadRequest(
      await world.put(path, configMap('other')),
      'the name of the object (other) does not match the name on the URL (a)',
    );
    expectBadRequest(
      await world.put(path, { metadata: {} }),
      'the name of the object (a based on URL) was undeterminable: name must be provided',
    );
    expectBadRequest(
      await world.put(path, configMap('a', {}, { namespace: 'other' })),
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  },

  'an update can omit kind and apiVersion': async (world) => {
    const { path } = await start(world);
    const { body } = await world.put(path, { metadata: { name: 'a' }, data: { d: 'e' } });
    expect(body).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { d: 'e' } });
  },

  'an update with another kind is refused': async (world) => {
    const { path } = await start(world);
    expectBadRequest(
      await world.put(path, { ...configMap('a'), kind: 'Secret' }),
      /^Secret in version "v1" cannot be handled as a ConfigMap: /,
    );
  },

  'an update checks its resourceVersion, which it can omit': async (world) => {
    const { path } = await start(world);
    expectConflict(
      await world.put(path, configMap('a', {}, { resourceVersion: '1' })),
      'configmaps',
      'a',
      modified,
    );
    expect((await world.put(path, configMap('a'))).status).toBe(200);
    expectRefusal(await world.put(path, configMap('a', {}, { resourceVersion: 'x' })), {
      code: 500,
      message: 'strconv.ParseUint: parsing "x": invalid syntax',
    });
  },

  'an update with another UID is a conflict that names both': async (world) => {
    const { path, object } = await start(world);
    const answer = await world.put(path, configMap('a', {}, { uid: 'other' }));
    expect([answer.status, answer.body.reason, answer.body.details]).toEqual([
      409,
      'Conflict',
      { name: 'a', kind: 'configmaps' },
    ]);
    expect(answer.body.message).toContain(
      `Precondition failed: UID in precondition: other, UID in object meta: ${object.metadata.uid}`,
    );
  },

  'an update cannot change values that the server sets': async (world) => {
    const { path, object } = await start(world);
    const given = { creationTimestamp: '2020-01-01T00:00:00Z', generation: 9 };
    const { body } = await world.put(path, configMap('a', {}, given));
    expect(body.metadata).toMatchObject({
      uid: object.metadata.uid,
      creationTimestamp: object.metadata.creationTimestamp,
    });
    expect(body.metadata).not.toHaveProperty('generation');
  },

  'an update without a change keeps the resourceVersion': async (world) => {
    const { path, object } = await start(world);
    const { body } = await world.put(path, object);
    expect(body.metadata.resourceVersion).toBe(object.metadata.resourceVersion);
    const changed = await world.put(path, { ...object, data: { d: 'e' } });
    expect(Number(changed.body.metadata.resourceVersion)).toBeGreaterThan(
      Number(object.metadata.resourceVersion),
    );
  },

  'a dry run of an update changes nothing, and another value than All is refused': async (world) => {
    const { path } = await start(world);
    const { body } = await world.put(`${path}?dryRun=All`, configMap('a', { d: 'e' }));
    expect(body.data).toEqual({ d: 'e' });
    expect((await world.get(path)).body.data).toEqual({ b: 'c' });
    expectInvalid(await world.put(`${path}?dryRun=Some`, configMap('a')), {
      kind: 'UpdateOptions',
      group: 'meta.k8s.io',
      causes: [unsupported('dryRun', '["Some"]: supported values: "All"')],
    });
  },

  'empty metadata fields are omitted': async (world) => {
    const { path } = await start(world, { labels: { d: 'e' }, finalizers: ['x.y/z'] });
    const empty = { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] };
    const { body } = await world.put(path, configMap('a', {}, empty));
    for (const field of Object.keys(empty)) expect(body.metadata).not.toHaveProperty(field);
  },

  'an immutable ConfigMap cannot change': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    await made(world, path, { ...configMap('a', { b: 'c' }), immutable: true });
    expectInvalid(await world.put(`${path}/a`, { ...configMap('a', { b: 'd' }), immutable: true }), {
      kind: 'ConfigMap',
      name: 'a',
      causes: [forbidden('data', 'field is immutable when `immutable` is set')],
    });
  },

  'the type of a Secret cannot change': async (world) => {
    const path = `${await world.namespace()}/secrets`;
    await made(world, path, { metadata: { name: 'a' } });
    expectInvalid(await world.patch(`${path}/a`, 'merge', { type: 'other' }), {
      kind: 'Secret',
      name: 'a',
      causes: [invalid('type', '"other": field is immutable')],
    });
  },

  'the node and the grace period of a pod cannot change by an update': async (world) => {
    const path = `${await world.namespace()}/pods`;
    await made(world, path, pod('a'));
    for (const spec of [{ nodeName: 'x' }, { terminationGracePeriodSeconds: 1 }]) {
      const { status, body } = await world.patch(`${path}/a`, 'merge', { spec });
      expect([status, body.details.causes.length]).toEqual([422, 1]);
      expect(body.details.causes[0]).toMatchObject({
        reason: 'FieldValueForbidden',
        field: 'spec',
        message: expect.stringMatching(
          /^Forbidden: pod updates may not change fields other than `spec.containers/,
        ),
      });
    }
  },

  'the image of a pod can change, which increments its generation': async (world) => {
    const path = `${await world.namespace()}/pods`;
    await made(world, path, pod('a'));
    const spec = { containers: [{ name: 'main', image: 'other:2' }] };
    const { body } = await world.patch(`${path}/a`, 'strategic', { spec });
    expect([body.spec.containers[0].image, body.metadata.generation]).toEqual(['other:2', 2]);
  },

  'the selector of a Deployment cannot change': async (world) => {
    const path = `${inGroup(await world.namespace(), 'apps/v1')}/deployments`;
    await made(world, path, deployment('a'));
    const spec = { selector: { matchLabels: { app: 'b' } } };
    expectInvalid(await world.patch(`${path}/a`, 'merge', { spec }), {
      kind: 'Deployment',
      group: 'apps',
      name: 'a',
      causes: [
        invalid('spec.template.metadata.labels', '{"app":"a"}: `selector` does not match template `labels`'),
        invalid('spec.selector', '{"matchLabels":{"app":"b"}}: field is immutable'),
      ],
    });
  },

  'the status subresource changes only the status, and updates of the object do not': async (world) => {
    const path = `${await world.namespace()}/pods`;
    await made(world, path, pod('a'));
    const running = { status: { phase: 'Running' } };
    expect((await world.patch(`${path}/a`, 'merge', running)).body.status.phase).toBe('Pending');
    const spec = { activeDeadlineSeconds: 9 };
    const { body } = await world.patch(`${path}/a/status`, 'merge', { ...running, spec });
    expect([body.status.phase, body.spec.activeDeadlineSeconds]).toEqual(['Running', undefined]);
    expect((await world.get(`${path}/a/status`)).body.status.phase).toBe('Running');
  },

  'the status subresource of a pod can change labels': async (world) => {
    const path = `${await world.namespace()}/pods`;
    await made(world, path, pod('a'));
    const { body } = await world.patch(`${path}/a/status`, 'merge', { metadata: { labels: { b: 'c' } } });
    expect(body.metadata.labels).toEqual({ b: 'c' });
  },
};

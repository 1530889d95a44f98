import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { causeOf, expectBadRequest, expectInvalid, expectRefusal, unsupported } from '../expectations.ts';
import { configMap, deployment, inGroup, made, nameOf, pod } from '../objects.ts';
import type { KubernetesWorld } from '../world.ts';

const uid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const wholeSeconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** What the server makes of an object that is posted. */
export const createCases: Cases<KubernetesWorld> = {
  'a new object gets a namespace, a UID, a creation time in whole seconds and a resourceVersion': async (
    world,
  ) => {
    const namespace = await world.namespace();
    const { metadata } = await made(world, `${namespace}/configmaps`, configMap('a'));
    expect(metadata).toMatchObject({
      name: 'a',
      namespace: nameOf(namespace),
      uid: expect.stringMatching(uid),
      creationTimestamp: expect.stringMatching(wholeSeconds),
      resourceVersion: expect.stringMatching(/^[1-9]\d*$/),
    });
  },

  'values that the server sets are ignored in a create': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const long = '2020-01-01T00:00:00Z';
    const given = { uid: 'mine', creationTimestamp: long, selfLink: '/x', deletionGracePeriodSeconds: 4 };
    const { metadata } = await made(world, path, configMap('a', {}, { ...given, deletionTimestamp: long }));
    expect(metadata.uid).toMatch(uid);
    expect(metadata.creationTimestamp).not.toBe(long);
    for (const field of ['selfLink', 'deletionTimestamp', 'deletionGracePeriodSeconds'])
      expect(metadata).not.toHaveProperty(field);
  },

  'creating an existing object is refused, with and without dry run': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    await made(world, path, configMap('a'));
    for (const query of ['', '?dryRun=All'])
      expectRefusal(await world.post(`${path}${query}`, configMap('a')), {
        code: 409,
        reason: 'AlreadyExists',
        message: 'configmaps "a" already exists',
        details: { name: 'a', kind: 'configmaps' },
      });
  },

  'a dry run of a create answers an object without a resourceVersion, and stores nothing': async (world) => {
    const path = `${await world.namespace()}/pods`;
    const { status, body } = await world.post(`${path}?dryRun=All`, pod('a'));
    expect([status, body.spec.restartPolicy, body.status.phase]).toEqual([201, 'Always', 'Pending']);
    expect(body.metadata.uid).toMatch(uid);
    expect(body.metadata).not.toHaveProperty('resourceVersion');
    expect((await world.get(`${path}/a`)).status).toBe(404);
  },

  'a create with another dry run value than All is refused': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    for (const given of ['Some', '']) {
      const causes = [unsupported('dryRun', `["${given}"]: supported values: "All"`)];
      const answer = await world.post(`${path}?dryRun=${given}`, configMap('a'));
      expectInvalid(answer, { kind: 'CreateOptions', group: 'meta.k8s.io', causes });
    }
  },

  'a field manager has at most 128 bytes, and fieldValidation has three values': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const options = { kind: 'CreateOptions', group: 'meta.k8s.io' };
    expectInvalid(await world.post(`${path}?fieldManager=${'x'.repeat(129)}`, configMap('a')), {
      ...options,
      causes: [causeOf('FieldValueTooLong', 'fieldManager', 'Too long: may not be more than 128 bytes')],
    });
    expectInvalid(await world.post(`${path}?fieldValidation=Loose`, configMap('a')), {
      ...options,
      causes: [unsupported('fieldValidation', '"Loose": supported values: "", "Ignore", "Strict", "Warn"')],
    });
  },

  'a generated name ends with five random characters': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const { metadata } = await made(world, path, { metadata: { generateName: 'made-' } });
    expect(metadata).toMatchObject({
      name: expect.stringMatching(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/),
      generateName: 'made-',
    });
  },

  'a create in a missing namespace is a 404, and with another namespace than the path a 400': async (
    world,
  ) => {
    expectRefusal(await world.post('/api/v1/namespaces/unheard/configmaps', configMap('a')), {
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "unheard" not found',
      details: { name: 'unheard', kind: 'namespaces' },
    });
    expectBadRequest(
      await world.post(`${await world.namespace()}/configmaps`, configMap('a', {}, { namespace: 'other' })),
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  },

  'a create with a resourceVersion is refused': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    expectRefusal(await world.post(path, configMap('a', {}, { resourceVersion: '5' })), {
      code: 500,
      message: 'resourceVersion should not be set on objects to be created',
    });
  },

  'unknown fields are dropped with a warning': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const odd = { metadata: { name: 'a', nope: 1 }, dat: {} };
    const { body, headers } = await world.post(path, odd);
    expect([body.dat, body.metadata.nope]).toEqual([undefined, undefined]);
    expect(headers.warning).toBe(
      '299 - "unknown field \\"metadata.nope\\"", 299 - "unknown field \\"dat\\""',
    );
    const silent = await world.post(`${path}?fieldValidation=Ignore`, { metadata: { name: 'b' }, dat: {} });
    expect([silent.status, silent.headers.warning]).toEqual([201, undefined]);
  },

  'unknown fields are refused with strict validation': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const odd = { metadata: { name: 'a', nope: 1 }, dat: {} };
    expectBadRequest(
      await world.post(`${path}?fieldValidation=Strict`, odd),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "metadata.nope", unknown field "dat"',
    );
  },

  'an unknown field of a spec is refused with strict validation': async (world) => {
    const path = `${await world.namespace()}/pods`;
    expectBadRequest(
      await world.post(`${path}?fieldValidation=Strict`, pod('a', { spec: { nodName: 'x' } })),
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.nodName"',
    );
  },

  'a duplicate field is refused with strict validation': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    expectBadRequest(
      await world.post(`${path}?fieldValidation=Strict`, '{"metadata":{"name":"a","name":"b"}}'),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "metadata.name"',
    );
  },

  'a new namespace has a label with its name, is Active and has a finalizer': async (world) => {
    const { body } = await world.get(await world.namespace());
    expect(body.metadata.labels['kubernetes.io/metadata.name']).toBe(body.metadata.name);
    expect([body.status, body.spec]).toEqual([{ phase: 'Active' }, { finalizers: ['kubernetes'] }]);
  },

  'workloads, pods and budgets have a generation, and other objects do not': async (world) => {
    const namespace = await world.namespace();
    const apps = inGroup(namespace, 'apps/v1');
    const budget = { metadata: { name: 'a' }, spec: { minAvailable: 1 } };
    const counted = [
      await made(world, `${apps}/deployments`, deployment('a')),
      await made(world, `${namespace}/pods`, pod('a')),
      await made(world, `${inGroup(namespace, 'policy/v1')}/poddisruptionbudgets`, budget),
    ];
    expect(counted.map(({ metadata }) => metadata.generation)).toEqual([1, 1, 1]);
    const service = { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } };
    const others = [
      await made(world, `${namespace}/services`, service),
      await made(world, `${inGroup(namespace, 'coordination.k8s.io/v1')}/leases`, {
        metadata: { name: 'a' },
      }),
      (await world.get(namespace)).body,
    ];
    expect(others.map(({ metadata }) => metadata.generation)).toEqual([undefined, undefined, undefined]);
  },

  'managedFields records the manager of each field': async (world) => {
    const path = `${await world.namespace()}/configmaps?fieldManager=me`;
    const { metadata } = await made(world, path, configMap('a', { b: 'c' }));
    expect(metadata.managedFields).toEqual([
      {
        manager: 'me',
        operation: 'Update',
        apiVersion: 'v1',
        time: expect.stringMatching(wholeSeconds),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:b': {} } },
      },
    ]);
  },
};

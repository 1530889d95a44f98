import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectBadRequest, expectInvalid, expectRefusal, required } from '../expectations.ts';
import { configMap, made } from '../objects.ts';
import type { Answer, KubernetesWorld } from '../world.ts';

const media = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

const expectNotAcceptable = (answer: Answer, message: string, details?: object): void =>
  expectRefusal(answer, { code: 406, reason: 'NotAcceptable', message, ...(details && { details }) });

/** What is sent and what comes: formats, kinds, forms. */
export const bodyCases: Cases<KubernetesWorld> = {
  'a body that is not JSON is refused with the expected kind': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const words =
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; ";
    expectBadRequest(
      await world.post(path, ''),
      `${words}json parse error: unexpected end of JSON input (<empty>)`,
    );
    expectBadRequest(
      await world.post(path, '{'),
      `${words}json parse error: unexpected end of JSON input ({)`,
    );
    const list = await world.post(path, '[]');
    expectBadRequest(
      list,
      /^the object provided is unrecognized \(must be of type ConfigMap\): .* \(5b5d\)$/,
    );
  },

  'an empty object and null are refused without a name': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const causes = [required('metadata.name', 'Required value: name or generateName is required')];
    for (const body of ['{}', 'null', '{"kind":"ConfigMap"}'])
      expectInvalid(await world.post(path, body), { kind: 'ConfigMap', causes });
  },

  'an object of another kind is refused': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    expectBadRequest(
      await world.post(path, { ...configMap('a'), kind: 'Secret' }),
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    );
    expectBadRequest(
      await world.post(path, { ...configMap('a'), apiVersion: 'apps/v1' }),
      /^ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps\/v1"/,
    );
  },

  'a field with a wrong type is refused': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const words =
      /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal (number|array|string) into Go struct field /;
    for (const body of [
      { metadata: { name: 'a', labels: { a: 1 } } },
      { metadata: { name: 'a' }, data: { a: 1 } },
      { metadata: { name: 'a' }, data: ['x'] },
      { metadata: 'x' },
    ])
      expectBadRequest(await world.post(path, body), words);
  },

  'a field with an invalid value is refused': async (world) => {
    const namespace = await world.namespace();
    expectBadRequest(
      await world.post(`${namespace}/secrets`, { metadata: { name: 'a' }, data: { a: 'not base64!' } }),
      /^Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte /,
    );
    const leases = namespace.replace('/api/v1', '/apis/coordination.k8s.io/v1');
    expectBadRequest(
      await world.post(`${leases}/leases`, { metadata: { name: 'a' }, spec: { renewTime: 'soon' } }),
      /^Lease in version "v1" cannot be handled as a Lease: parsing time "soon" /,
    );
  },

  'a body with an unknown content type is refused': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    expectRefusal(await world.post(path, configMap('a'), { 'content-type': 'text/plain' }), {
      code: 415,
      reason: 'UnsupportedMediaType',
      message: `the body of the request was in an unknown format - accepted media types include: ${media}`,
    });
  },

  'a body without a content type is JSON, and its charset is ignored': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const type = 'application/json; charset=utf-8';
    expect((await world.post(path, configMap('a'), { 'content-type': '' })).status).toBe(201);
    expect((await world.post(path, configMap('b'), { 'content-type': type })).status).toBe(201);
  },

  'a body can be YAML': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const send = (text: string) => world.post(path, text, { 'content-type': 'application/yaml' });
    expect((await send('metadata: {name: yaml}\ndata: {a: b}\n')).body.data).toEqual({ a: 'b' });
    expectBadRequest(
      await send('metadata: {name: [}\n'),
      /^the object provided is unrecognized \(must be of type ConfigMap\): /,
    );
  },

  'a response can be YAML': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    await made(world, path, configMap('a', { b: 'c' }));
    const { headers, text } = await world.get(`${path}/a`, { accept: 'application/yaml' });
    expect(headers['content-type']).toBe('application/yaml');
    expect(text).toMatch(/^apiVersion: v1\ndata:\n {2}b: c\nkind: ConfigMap\nmetadata:\n/);
  },

  'an unsupported response type is refused': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    await made(world, path, configMap('a'));
    for (const accept of ['text/html', 'application/xml'])
      expectNotAcceptable(
        await world.get(`${path}/a`, { accept }),
        `406: Not Acceptable\n\nAvailable representations: ${media}`,
        {},
      );
    const { body } = await world.get(`${path}/a`, { accept: 'application/xml, */*' });
    expect(body.kind).toBe('ConfigMap');
  },

  'a create with an unsupported response type creates nothing': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    expect((await world.post(path, configMap('a'), { accept: 'application/xml' })).status).toBe(406);
    expect((await world.get(`${path}/a`)).status).toBe(404);
  },

  'an unsupported table version is refused, or the next accepted type is used': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    await made(world, path, configMap('a'));
    const unknown = table.replace('v=v1', 'v=v9');
    expectNotAcceptable(
      await world.get(`${path}/a`, { accept: unknown }),
      `only the following media types are accepted: ${media}`,
    );
    const { body } = await world.get(`${path}/a`, { accept: `${unknown},application/json` });
    expect(body.kind).toBe('ConfigMap');
  },

  'metadata of an object and of a list has a kind of its own each': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const { metadata } = await made(world, path, configMap('a', { b: 'c' }, { labels: { d: 'e' } }));
    const one = await world.get(`${path}/a`, { accept: partial });
    const head = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };
    expect(one.body).toEqual({ ...head, metadata });
    const list = await world.get(`${path}?labelSelector=d`, { accept: partialList });
    expect(list.body).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(list.body.items).toEqual([{ ...head, metadata }]);
  },

  'metadata of an object cannot be requested as metadata of a list': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    await made(world, path, configMap('a'));
    expectNotAcceptable(
      await world.get(path, { accept: partial }),
      'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
    );
    expectNotAcceptable(
      await world.get(`${path}/a`, { accept: partialList }),
      'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
    );
  },

  'an error is never a table': async (world) => {
    const { status, body } = await world.get('/api/v1/nodes/none', { accept: `${table},application/json` });
    expect([status, body.kind]).toEqual([404, 'Status']);
  },

  'items of a list have neither kind nor apiVersion': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    await made(world, path, configMap('a', { b: 'c' }, { labels: { d: 'e' } }));
    const { body } = await world.get(`${path}?labelSelector=d`);
    expect([body.kind, body.apiVersion, Object.keys(body.items[0])]).toEqual([
      'ConfigMapList',
      'v1',
      ['metadata', 'data'],
    ]);
  },
};

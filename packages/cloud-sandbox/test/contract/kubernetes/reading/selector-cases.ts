import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectBadRequest } from '../expectations.ts';
import { configMap, made, names, pod } from '../objects.ts';
import type { KubernetesWorld } from '../world.ts';

/** ConfigMaps a and b with the label `letter`, c without it; gives what to select them by. */
async function start(world: KubernetesWorld) {
  const path = `${await world.namespace()}/configmaps`;
  for (const name of ['a', 'b'])
    await made(world, path, configMap(name, {}, { labels: { all: 'x', letter: name, 'x.y/size': '5' } }));
  await made(world, path, configMap('c', {}, { labels: { all: 'x' } }));
  const by = (parameter: string) => (text: string) =>
    world.get(`${path}?${parameter}=${encodeURIComponent(text)}`);
  return { byLabels: by('labelSelector'), byFields: by('fieldSelector') };
}

const identifier = "!, identifier, or 'end of string'";

/** Label and field selectors: what they mean, and what is refused. */
export const selectorCases: Cases<KubernetesWorld> = {
  'label selectors support equality, sets and existence': async (world) => {
    const { byLabels } = await start(world);
    const expected: Readonly<Record<string, readonly string[]>> = {
      'letter=a': ['a'],
      'letter==a': ['a'],
      'all,letter!=a': ['b', 'c'],
      'letter in (a,b)': ['a', 'b'],
      'letter in(a)': ['a'],
      'all=x,letter notin (a, x)': ['b', 'c'],
      letter: ['a', 'b'],
      'all,!letter': ['c'],
      ' letter = a ': ['a'],
      'letter=': [],
      'x.y/size>4': ['a', 'b'],
      'x.y/size<5': [],
    };
    for (const [text, found] of Object.entries(expected))
      expect([text, names(await byLabels(text))]).toEqual([text, found]);
  },

  'an invalid label selector is refused with the position': async (world) => {
    const { byLabels } = await start(world);
    const expected: Readonly<Record<string, string>> = {
      'letter in (a': "unable to parse requirement: found '', expected: ',' or ')'",
      '=a': `found '=', expected: ${identifier}`,
      'letter=a b': "found 'b', expected: ',' or 'end of string'",
      'letter=!': "unable to parse requirement: found '!', expected: identifier",
      ',': `found ',', expected: ${identifier}`,
      'letter,': "found '', expected: identifier after ','",
      'letter=a,,all': "found ',', expected: identifier after ','",
      'bad key': "unable to parse requirement: found 'key', expected: in, notin, =, ==, !=, gt, lt",
    };
    for (const [text, words] of Object.entries(expected)) expectBadRequest(await byLabels(text), words);
  },

  'a label selector with invalid keys or values is refused': async (world) => {
    const { byLabels } = await start(world);
    expectBadRequest(
      await byLabels('-x=1'),
      /^unable to parse requirement: <nil>: Invalid value: "-x": name part must consist of /,
    );
    expectBadRequest(
      await byLabels('letter=-x'),
      /^unable to parse requirement: values\[0\]\[letter\]: Invalid value: "-x": a valid label must /,
    );
    expectBadRequest(
      await byLabels('letter>a'),
      `unable to parse requirement: values[0]: Invalid value: "a": for 'Gt', 'Lt' operators, the value must be an integer`,
    );
  },

  'objects can be filtered by name and namespace': async (world) => {
    const { byFields } = await start(world);
    expect(names(await byFields('metadata.name=a'))).toEqual(['a']);
    expect(names(await byFields('metadata.name==b'))).toEqual(['b']);
    expect(names(await byFields('metadata.name=a,metadata.name=b'))).toEqual([]);
    expect(names(await byFields('metadata.name!=a'))).toEqual(expect.arrayContaining(['b', 'c']));
    expect(names(await byFields('metadata.namespace=other'))).toEqual([]);
  },

  'an invalid field selector is refused': async (world) => {
    const { byFields } = await start(world);
    for (const text of ['metadata.name', 'metadata.name in (a)'])
      expectBadRequest(await byFields(text), `invalid selector: '${text}'; can't understand '${text}'`);
  },

  'an unsupported field in a field selector is refused, in one of two ways': async (world) => {
    const { byFields } = await start(world);
    const only = (field: string) =>
      `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
    expectBadRequest(await byFields('data.x=1'), only('data.x'));
    const attachments = '/apis/storage.k8s.io/v1/volumeattachments?fieldSelector=spec.nodeName%3Dx';
    expectBadRequest(await world.get(attachments), only('spec.nodeName'));
    for (const [resource, field] of [
      ['pods', 'spec.unheard'],
      ['nodes', 'spec.providerID'],
      ['namespaces', 'name'],
      ['events', 'regarding.name'],
    ])
      expectBadRequest(
        await world.get(`/api/v1/${resource}?fieldSelector=${field}%3Dx`),
        `field label not supported: ${field}`,
      );
  },

  'some resources can be filtered by their own fields': async (world) => {
    for (const query of [
      'pods?fieldSelector=spec.nodeName=x,spec.restartPolicy=Always,spec.schedulerName=x,spec.serviceAccountName=x',
      'pods?fieldSelector=status.phase=x,status.podIP=x,status.nominatedNodeName=x,spec.hostNetwork=true',
      'nodes?fieldSelector=spec.unschedulable=true',
      'secrets?fieldSelector=type=x',
      'namespaces?fieldSelector=status.phase=x',
      'services?fieldSelector=spec.clusterIP=x,spec.type=x',
      'events?fieldSelector=involvedObject.name=x,involvedObject.uid=x,reason=x,source=x,type=x,reportingComponent=x',
    ])
      expect([query, (await world.get(`/api/v1/${query}`)).status]).toEqual([query, 200]);
    const events = '/apis/events.k8s.io/v1/events?fieldSelector=regarding.name=x,reportingController=x';
    expect((await world.get(events)).status).toBe(200);
    const requests =
      '/apis/certificates.k8s.io/v1/certificatesigningrequests?fieldSelector=spec.signerName=x';
    expect((await world.get(requests)).status).toBe(200);
  },

  'pods can be filtered by node and phase, in all namespaces': async (world) => {
    const namespace = await world.namespace();
    await made(world, `${namespace}/pods`, pod('a', { spec: { nodeName: `on-${namespace.length}` } }));
    await made(world, `${namespace}/pods`, pod('b'));
    const on = `spec.nodeName=on-${namespace.length}`;
    expect(names(await world.get(`/api/v1/pods?fieldSelector=${on}`))).toContain('a');
    expect(names(await world.get(`${namespace}/pods?fieldSelector=${on},status.phase!=Running`))).toEqual([
      'a',
    ]);
    expect(names(await world.get(`${namespace}/pods?fieldSelector=spec.nodeName=`))).toEqual(['b']);
  },
};

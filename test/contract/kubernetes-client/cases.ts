import {
  configMap,
  inGroup,
  made,
  nameOf,
  pod,
} from '@drover/cloud-sandbox/test/contract/kubernetes/objects.ts';
import { type KubernetesWorld, uniqueName } from '@drover/cloud-sandbox/test/contract/kubernetes/world.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { createApi } from '../../../shared/kubernetes/api.ts';
import { createTokenCluster } from '../../../shared/kubernetes/bootstrap-tokens.ts';
import { createKubernetesClient } from '../../../shared/kubernetes/client.ts';
import { configMapData } from '../../../shared/kubernetes/config-maps.ts';
import { sendHttp } from '../../../shared/net/send-http.ts';
import { leavingLabel } from '../../../shared/nodes/node-keys.ts';

/** Drover's own clients, as an administrator. */
function clientsOf({ url, token, certificateAuthority }: KubernetesWorld, bearerToken = token) {
  const connection = { server: url, tls: { certificateAuthority }, bearerToken };
  const options = {
    connections: { connect: () => Promise.resolve(connection), invalidate: () => undefined },
    sendHttp,
  };
  return {
    cluster: createKubernetesClient({ ...options, clock: { now: () => Date.now() } }),
    tokens: createTokenCluster(options),
    readConfigMap: configMapData(createApi(options)),
  };
}

async function startNode(world: KubernetesWorld) {
  const name = uniqueName('node');
  const { metadata } = await made(world, '/api/v1/nodes', { metadata: { name, labels: { of: name } } });
  return { name, uid: metadata.uid as string, end: () => world.delete(`/api/v1/nodes/${name}`) };
}

async function startPod(world: KubernetesWorld, metadata: object = {}) {
  const namespace = await world.namespace();
  const object = await made(
    world,
    `${namespace}/pods`,
    pod('a', { metadata, spec: { nodeName: nameOf(namespace) } }),
  );
  const identity = { namespace: nameOf(namespace), name: 'a', uid: object.metadata.uid as string };
  return { namespace, identity };
}

/** Drover's own client, with everything that a drain and a rotation ask. */
export const kubernetesClientCases: Cases<KubernetesWorld> = {
  'Drover finds a Node by its name and by a label, and finds no missing Node': async (world) => {
    const { cluster } = clientsOf(world);
    const { name, uid, end } = await startNode(world);
    expect((await cluster.getNode(name))?.metadata?.uid).toBe(uid);
    expect(await cluster.getNode(`${name}-none`)).toBeUndefined();
    const found = async () => (await cluster.listNodeMetadata(`of=${name}`)).map((node) => node.uid);
    await expect.poll(found).toEqual([uid]);
    expect((await cluster.listNodes()).map(({ metadata }) => metadata?.uid)).toContain(uid);
    await end();
  },

  'Drover finds the Nodes that it marked by their instances, several in one request': async (world) => {
    const { cluster } = clientsOf(world);
    const nodes = [await startNode(world), await startNode(world)];
    for (const { name } of nodes)
      await cluster.patchNode(name, { metadata: { labels: { [leavingLabel]: `i-${name}` } } });
    const found = async (names: readonly string[]) =>
      (await Promise.all(names.map((name) => cluster.getMarkedNode(`i-${name}`)))).map(
        (node) => node?.metadata?.uid,
      );
    const [one, other] = nodes.map(({ name }) => name);
    await expect
      .poll(() => found([`${one}`, 'none', `${other}`]))
      .toEqual([nodes[0]?.uid, undefined, nodes[1]?.uid]);
    for (const { end } of nodes) await end();
  },

  'Drover cordons and marks a Node in one patch': async (world) => {
    const { cluster } = clientsOf(world);
    const { name, uid, end } = await startNode(world);
    const patch = {
      metadata: { uid, labels: { 'x.y/l': 'true' }, annotations: { 'x.y/a': '{"b":1}' } },
      spec: { unschedulable: true },
    };
    const node = await cluster.patchNode(name, patch);
    expect([node.spec?.unschedulable, node.metadata?.annotations?.['x.y/a']]).toEqual([true, '{"b":1}']);
    const taken = { metadata: { uid, labels: { 'x.y/l': null }, annotations: { 'x.y/a': null } } };
    const back = await cluster.patchNode(name, { ...taken, spec: { unschedulable: null } });
    expect(back.spec).not.toHaveProperty('unschedulable');
    expect(back.metadata?.labels).toEqual({ of: name });
    await end();
  },

  'Drover reports another Node of the same name as a conflict, and does not change it': async (world) => {
    const { cluster } = clientsOf(world);
    const { name, end } = await startNode(world);
    const patch = { metadata: { uid: 'another' }, spec: { unschedulable: true } };
    await expect(cluster.patchNode(name, patch)).rejects.toMatchObject({ kind: 'conflict' });
    expect(await cluster.deleteNode({ name, uid: 'another' })).toBe('gone');
    expect((await cluster.getNode(name))?.spec?.unschedulable).toBeUndefined();
    await end();
  },

  'Drover deletes a Node by its UID, and reports a second deletion as gone': async (world) => {
    const { cluster } = clientsOf(world);
    const { name, uid } = await startNode(world);
    expect(await cluster.deleteNode({ name, uid })).toBe('deleted');
    expect(await cluster.deleteNode({ name, uid })).toBe('gone');
  },

  'Drover lists the pods of a node, from the cache and consistently': async (world) => {
    const { cluster } = clientsOf(world);
    const { namespace, identity } = await startPod(world);
    const list = async (consistency: 'cached' | 'consistent') =>
      (await cluster.listPodsOnNode(nameOf(namespace), consistency)).map(({ metadata }) => metadata?.uid);
    expect(await list('consistent')).toEqual([identity.uid]);
    await expect.poll(() => list('cached')).toEqual([identity.uid]);
  },

  'Drover reads each answer to an eviction': async (world) => {
    const { cluster } = clientsOf(world);
    const { namespace, identity } = await startPod(world, { labels: { app: 'a' } });
    const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await world.patch(`${namespace}/pods/a/status`, 'merge', { status: ready });
    const budgets = `${inGroup(namespace, 'policy/v1')}/poddisruptionbudgets`;
    const budget = (name: string) =>
      made(world, budgets, {
        metadata: { name },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
      });
    expect(await cluster.evictPod({ ...identity, uid: 'another' })).toEqual({ kind: 'gone' });
    await budget('one');
    const message = 'The disruption budget one needs 1 healthy pods and has 1 currently';
    await expect.poll(() => cluster.evictPod(identity)).toEqual({ kind: 'held', message });
    await budget('two');
    await expect.poll(() => cluster.evictPod(identity)).toMatchObject({ kind: 'several-budgets' });
    await world.delete(`${budgets}/one`);
    await world.delete(`${budgets}/two`);
    const evict = () => cluster.evictPod(identity, { gracePeriodSeconds: 0 });
    await expect.poll(evict).toEqual({ kind: 'evicted' });
    expect(await cluster.evictPod(identity)).toEqual({ kind: 'gone' });
  },

  'Drover reads that a namespace terminates': async (world) => {
    const { cluster } = clientsOf(world);
    const { namespace, identity } = await startPod(world, { finalizers: ['x.y/z'] });
    await made(world, `${namespace}/configmaps`, configMap('held', {}, { finalizers: ['x.y/z'] }));
    await world.delete(namespace);
    expect(await cluster.evictPod(identity)).toMatchObject({ kind: 'namespace-terminating' });
    expect(await cluster.deletePod(identity, { gracePeriodSeconds: 1 })).toBe('deleted');
    for (const path of ['pods/a', 'configmaps/held'])
      await world.patch(`${namespace}/${path}`, 'merge', { metadata: { finalizers: null } });
  },

  'Drover marks a pod as disrupted, and no other pod of its name': async (world) => {
    const { cluster } = clientsOf(world);
    const { namespace, identity } = await startPod(world);
    const conditions = async () =>
      ((await world.get(`${namespace}/pods/a`)).body.status.conditions ?? []).filter(
        ({ type }: { type: string }) => type === 'DisruptionTarget',
      );
    await expect(cluster.markDisrupted({ ...identity, uid: 'another' }, 'no')).rejects.toThrow();
    expect(await conditions()).toEqual([]);
    for (const message of ['one', 'two']) await cluster.markDisrupted(identity, message);
    expect(await conditions()).toEqual([
      expect.objectContaining({ status: 'True', reason: 'DeletionByDrover', message: 'two' }),
    ]);
    await expect(cluster.markDisrupted({ ...identity, name: 'none' }, 'no')).rejects.toThrow();
  },

  'Drover deletes a pod with a shortened grace, and no other pod of its name': async (world) => {
    const { cluster } = clientsOf(world);
    const { namespace, identity } = await startPod(world);
    expect(await cluster.deletePod({ ...identity, uid: 'another' }, {})).toBe('gone');
    expect(await cluster.deletePod(identity, { gracePeriodSeconds: 5 })).toBe('deleted');
    const { body } = await world.get(`${namespace}/pods/a`);
    expect(body.metadata.deletionGracePeriodSeconds).toBe(5);
  },

  'Drover looks up DaemonSets, budgets, attachments and claims': async (world) => {
    const { cluster } = clientsOf(world);
    const namespace = await world.namespace();
    const name = nameOf(namespace);
    expect(await cluster.lookUpDaemonSet(name, 'none')).toBe('gone');
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { nodeSelector: { no: 'where' }, containers: [{ name: 'c', image: 'i' }] },
    };
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    await made(world, `${inGroup(namespace, 'apps/v1')}/daemonsets`, { metadata: { name: 'a' }, spec });
    expect(await cluster.lookUpDaemonSet(name, 'a')).toBe('found');
    expect(await cluster.listPodDisruptionBudgets(name)).toEqual([]);
    const attachment = { attacher: 'x.y', nodeName: name, source: { persistentVolumeName: 'v' } };
    const attachments = '/apis/storage.k8s.io/v1/volumeattachments';
    await made(world, attachments, { metadata: { name }, spec: attachment });
    const attached = async () =>
      (await cluster.listVolumeAttachments(name)).map(({ metadata }) => metadata?.name);
    await expect.poll(attached).toEqual([name]);
    await world.delete(`${attachments}/${name}`);
    expect(await cluster.volumeOfClaim(name, 'none')).toBeUndefined();
  },

  'Drover reads the data of one ConfigMap, and knows a missing and an empty one': async (world) => {
    const { readConfigMap } = clientsOf(world);
    const namespace = await world.namespace();
    const name = nameOf(namespace);
    await made(world, `${namespace}/configmaps`, {
      metadata: { name: 'aws-auth' },
      data: { mapRoles: '[]' },
    });
    await made(world, `${namespace}/configmaps`, { metadata: { name: 'empty' } });
    expect(await readConfigMap(name, 'aws-auth')).toEqual({ mapRoles: '[]' });
    expect(await readConfigMap(name, 'empty')).toEqual({});
    expect(await readConfigMap(name, 'none')).toBeUndefined();
  },

  'Drover records events of a Node': async (world) => {
    const { cluster } = clientsOf(world);
    const { name, uid, end } = await startNode(world);
    const event = {
      node: { name, uid },
      type: 'Warning',
      reason: 'DrainHeld',
      message: 'x'.repeat(3000),
    } as const;
    await cluster.recordEvent(event);
    const events = `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D${name}`;
    const { items } = (await world.get(events)).body;
    const ours = items.filter(({ reason }: { reason: string }) => reason === 'DrainHeld');
    expect(ours).toHaveLength(1);
    expect(ours[0]).toMatchObject({ count: 1, type: 'Warning', source: { component: 'drover' } });
    await end();
  },

  'Drover creates, tests and deletes a bootstrap token': async (world) => {
    const { tokens } = clientsOf(world);
    const owner = { clusterName: uniqueName('cluster'), role: 'worker' } as const;
    const token = { id: 'drov01', secret: '0123456789abcdef' };
    const group = 'system:bootstrappers:drover';
    const expiresAt = Date.parse('2100-01-01T00:00:00Z');
    const created = await tokens.createToken({
      token,
      owner,
      expiresAt,
      groups: [group],
      description: 'a test',
    });
    expect(created).toMatchObject({ id: 'drov01', expiresAt, groups: [group] });
    await expect(
      tokens.createToken({ token, owner, expiresAt, groups: [group], description: 'again' }),
    ).rejects.toMatchObject({ kind: 'conflict' });
    const address = {
      server: world.url,
      certificateAuthorityData: Buffer.from(world.certificateAuthority).toString('base64'),
    };
    await expect
      .poll(() => tokens.whoAmI({ address, token }))
      .toEqual({
        username: 'system:bootstrap:drov01',
        groups: ['system:bootstrappers', group, 'system:authenticated'],
      });
    expect(await tokens.mayRequestCertificates({ address, token })).toBe(false);
    const other = { ...token, secret: 'fedcba9876543210' };
    await expect(tokens.mayRequestCertificates({ address, token: other })).rejects.toMatchObject({
      kind: 'unauthorized',
    });
    expect(await tokens.whoAmI({ address, token: other })).toBeUndefined();
    expect(await tokens.deleteToken({ id: 'drov01', uid: 'another' })).toBe('gone');
    expect(await tokens.deleteToken(created)).toBe('deleted');
    expect(await tokens.deleteToken(created)).toBe('gone');
  },

  'Drover reads that it is not authenticated or not authorized': async (world) => {
    const { cluster } = clientsOf(world, 'garbage');
    await expect(cluster.getNode('a')).rejects.toMatchObject({ kind: 'unauthorized' });
    const namespace = await world.namespace();
    const { status } = await made(world, `${namespace}/serviceaccounts/default/token`, {});
    const other = clientsOf(world, status.token).cluster;
    await expect(other.getNode('a')).rejects.toMatchObject({ kind: 'forbidden', statusCode: 403 });
  },
};

import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectRefusal } from '../expectations.ts';
import { made, nameOf, pod } from '../objects.ts';
import { type Answer, type KubernetesWorld, uniqueName } from '../world.ts';
import { ask, kubeletClient, kubeletServing } from './certificate-requests.ts';

/** A kubelet, as its certificate names it, and what it sends. */
function startNode(world: KubernetesWorld) {
  const name = uniqueName('node');
  const headers = { 'impersonate-user': `system:node:${name}`, 'impersonate-group': 'system:nodes' };
  const path = `/api/v1/nodes/${name}`;
  return {
    name,
    headers,
    path,
    get: (target: string) => world.get(target, headers),
    register: (metadata: object = {}) =>
      world.post('/api/v1/nodes', { metadata: { name, ...metadata } }, headers),
    patch: (target: string, body: object) =>
      world.call('PATCH', target, {
        body,
        headers: { 'content-type': 'application/merge-patch+json', ...headers },
      }),
    end: () => world.delete(path),
  };
}

interface Forbidden {
  readonly resource: string;
  readonly group?: string;
  readonly name?: string;
  readonly why: string;
}

function expectForbidden(answer: Answer, { resource, group = '', name, why }: Forbidden): void {
  const subject = group === '' ? resource : `${resource}.${group}`;
  expectRefusal(answer, {
    code: 403,
    reason: 'Forbidden',
    message: `${subject}${name === undefined ? '' : ` "${name}"`} is forbidden: ${why}`,
    details: {
      ...(name !== undefined && { name }),
      ...(group !== '' && { group }),
      kind: resource,
    },
  });
}

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** The Node authorizer and the NodeRestriction admission plugin. */
export const nodeCases: Cases<KubernetesWorld> = {
  'a node reads only its own Node': async (world) => {
    const { name, get, register, path, end } = startNode(world);
    await register();
    expect((await get(path)).status).toBe(200);
    expect((await get(`/api/v1/nodes?fieldSelector=metadata.name%3D${name}`)).status).toBe(200);
    const who = `User "system:node:${name}" cannot`;
    const where = 'resource "nodes" in API group "" at the cluster scope';
    expectForbidden(await get('/api/v1/nodes/other'), {
      resource: 'nodes',
      name: 'other',
      why: `${who} get ${where}: node '${name}' cannot read 'other', only its own Node object`,
    });
    expectForbidden(await get('/api/v1/nodes'), {
      resource: 'nodes',
      why: `${who} list ${where}: node '${name}' cannot read all nodes, only its own Node object`,
    });
    await end();
  },

  'a node registers no other Node, and deletes none': async (world) => {
    const { name, headers, register, path, end } = startNode(world);
    const answer = await world.post('/api/v1/nodes', { metadata: { name: 'other' } }, headers);
    const why = `node "${name}" is not allowed to modify node "other"`;
    expectForbidden(answer, { resource: 'nodes', name: 'other', why });
    expect((await register()).status).toBe(201);
    expectForbidden(await world.call('DELETE', path, { headers }), {
      resource: 'nodes',
      name,
      why: `User "system:node:${name}" cannot delete resource "nodes" in API group "" at the cluster scope`,
    });
    await end();
  },

  'a node sets only some labels of Kubernetes on its Node': async (world) => {
    const { name, register, patch, path, end } = startNode(world);
    const refused = {
      'node-role.kubernetes.io/control-plane': '',
      'a.node-restriction.kubernetes.io/b': 'c',
    };
    expectForbidden(await register({ labels: { ...refused, 'example.com/a': 'b' } }), {
      resource: 'nodes',
      name,
      why: `node "${name}" is not allowed to set the following labels: ${Object.keys(refused).sort().join(', ')}`,
    });
    const labels = {
      'kubernetes.io/os': 'linux',
      'topology.kubernetes.io/zone': 'z',
      'a.node.kubernetes.io/b': 'c',
      'example.com/a': 'b',
    };
    expect((await register({ labels })).status).toBe(201);
    expectForbidden(await patch(path, { metadata: { labels: refused } }), {
      resource: 'nodes',
      name,
      why: `is not allowed to modify labels: ${Object.keys(refused).sort().join(', ')}`,
    });
    await end();
  },

  'a node changes no taints of its Node, and writes its status': async (world) => {
    const { name, register, patch, path, end } = startNode(world);
    await register();
    expectForbidden(await patch(path, { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }), {
      resource: 'nodes',
      name,
      why: `node "${name}" is not allowed to modify taints`,
    });
    const condition = { type: 'Ready', status: 'True', reason: 'x', message: 'y' };
    expect((await patch(`${path}/status`, { status: { conditions: [condition] } })).status).toBe(200);
    await end();
  },

  'a node writes the status of only its own pods': async (world) => {
    const node = startNode(world);
    await node.register();
    const namespace = await world.namespace();
    await made(world, `${namespace}/pods`, pod('own', { spec: { nodeName: node.name } }));
    await made(world, `${namespace}/pods`, pod('unbound'));
    const status = { status: { message: 'x' } };
    expect((await node.patch(`${namespace}/pods/own/status`, status)).status).toBe(200);
    expectForbidden(await node.patch(`${namespace}/pods/unbound/status`, status), {
      resource: 'pods',
      name: 'unbound',
      why: `node "${node.name}" can only update pod status for pods with spec.nodeName set to itself`,
    });
    await node.end();
  },

  'a node lists the pods that are bound to it, and no others': async (world) => {
    const { name, get } = startNode(world);
    expect((await get(`/api/v1/pods?fieldSelector=spec.nodeName%3D${name}`)).status).toBe(200);
    expectForbidden(await get('/api/v1/pods'), {
      resource: 'pods',
      why: `User "system:node:${name}" cannot list resource "pods" in API group "" at the cluster scope: can only list/watch pods with spec.nodeName field selector`,
    });
  },

  'a node reads the Secrets that its pods use, and no others': async (world) => {
    const node = startNode(world);
    await node.register();
    const namespace = await world.namespace();
    for (const name of ['used', 'other'])
      await made(world, `${namespace}/secrets`, { metadata: { name }, stringData: { a: 'b' } });
    const volumes = [{ name: 'v', secret: { secretName: 'used' } }];
    await made(world, `${namespace}/pods`, pod('own', { spec: { nodeName: node.name, volumes } }));
    const read = (name: string) => node.get(`${namespace}/secrets/${name}`);
    await expect.poll(async () => (await read('used')).status).toBe(200);
    expectForbidden(await read('other'), {
      resource: 'secrets',
      name: 'other',
      why: `User "system:node:${node.name}" cannot get resource "secrets" in API group "" in the namespace "${nameOf(namespace)}": no relationship found between node '${node.name}' and this object`,
    });
    await node.end();
  },

  'a node writes only its own Lease': async (world) => {
    const { name, headers, get } = startNode(world);
    const post = (lease: string) => world.post(leases, { metadata: { name: lease } }, headers);
    expect((await post(name)).status).toBe(201);
    const group = 'coordination.k8s.io';
    const why = 'can only access node lease with the same name as the requesting node';
    expectForbidden(await post('other'), { resource: 'leases', group, name: 'other', why });
    expect((await get(`${leases}/other`)).status).toBe(403);
    await world.delete(`${leases}/${name}`);
  },

  'a node requests certificates only in its own name': async (world) => {
    const { name, headers } = startNode(world);
    for (const spec of [kubeletClient, kubeletServing]) {
      const own = await ask(world, { spec, asked: { commonName: `system:node:${name}` }, headers });
      expect(own.status).toBe(201);
      const other = await ask(world, { spec, asked: { commonName: 'system:node:other' }, headers });
      expectForbidden(other.answer, {
        resource: 'certificatesigningrequests',
        group: 'certificates.k8s.io',
        name: other.name,
        why: `can only create a node CSR with CN=system:node:${name}`,
      });
    }
  },

  'a user without the group of nodes has no rights of a node': async (world) => {
    const { name, path } = startNode(world);
    expectForbidden(await world.get(path, { 'impersonate-user': `system:node:${name}` }), {
      resource: 'nodes',
      name,
      why: `User "system:node:${name}" cannot get resource "nodes" in API group "" at the cluster scope`,
    });
  },
};

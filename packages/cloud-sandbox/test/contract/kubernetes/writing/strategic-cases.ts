import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectRefusal } from '../expectations.ts';
import { configMap, inGroup, made, pod } from '../objects.ts';
import type { Json } from '../watch-events.ts';
import { type KubernetesWorld, uniqueName } from '../world.ts';

/** A pod `a`, and a patch of it that gives back its metadata. */
async function start(world: KubernetesWorld, metadata: object = {}) {
  const pods = `${await world.namespace()}/pods`;
  await made(world, pods, pod('a', { metadata }));
  const path = `${pods}/a`;
  const patch = async (change: object) =>
    (await world.patch(path, 'strategic', { metadata: change })).body.metadata;
  return { path, patch };
}

/** A Node, what patches its status, and what takes it away. */
async function startNode(world: KubernetesWorld) {
  const name = uniqueName('node');
  await made(world, '/api/v1/nodes', { metadata: { name } });
  const path = `/api/v1/nodes/${name}`;
  return {
    path,
    patchStatus: async (status: object) =>
      (await world.patch(`${path}/status`, 'strategic', { status })).body.status,
    end: () => world.delete(path),
  };
}

const ownerOf = ({ metadata }: Json) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: metadata.name,
  uid: metadata.uid,
});

/** Strategic merge patch: which lists are merged and by what, and its directives. */
export const strategicCases: Cases<KubernetesWorld> = {
  'a strategic patch merges maps, and replaces or empties them with $patch': async (world) => {
    const { patch } = await start(world, { labels: { a: '1' } });
    expect((await patch({ labels: { b: '2' } })).labels).toEqual({ a: '1', b: '2' });
    expect((await patch({ labels: { a: null } })).labels).toEqual({ b: '2' });
    expect((await patch({ labels: { $patch: 'replace', c: '3' } })).labels).toEqual({ c: '3' });
    expect((await patch({ labels: { $patch: 'delete' } })).labels).toBeUndefined();
  },

  'a strategic patch puts its finalizers first, and can remove one by name': async (world) => {
    const { path, patch } = await start(world, { finalizers: ['x.y/a'] });
    expect((await patch({ finalizers: ['x.y/b'] })).finalizers).toEqual(['x.y/b', 'x.y/a']);
    const taken = await patch({ '$deleteFromPrimitiveList/finalizers': ['x.y/a'] });
    expect(taken.finalizers).toEqual(['x.y/b']);
    expect((await patch({ finalizers: null })).finalizers).toBeUndefined();
    await world.delete(path);
  },

  'a strategic patch merges owner references by UID': async (world) => {
    const { path, patch } = await start(world);
    // They are there, or the garbage collector would take the pod away.
    const configMaps = path.replace(/pods\/a$/, 'configmaps');
    const [one, two] = [
      ownerOf(await made(world, configMaps, configMap('one'))),
      ownerOf(await made(world, configMaps, configMap('two'))),
    ];
    await patch({ ownerReferences: [one] });
    const both = await patch({ ownerReferences: [two, { uid: one.uid, controller: false }] });
    expect(both.ownerReferences).toEqual([two, { ...one, controller: false }]);
    const left = await patch({ ownerReferences: [{ $patch: 'delete', uid: one.uid }] });
    expect(left.ownerReferences).toEqual([two]);
  },

  'a strategic patch replaces all taints': async (world) => {
    const { path, end } = await startNode(world);
    const taints = [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'a', effect: 'NoExecute' },
    ];
    const first = await world.patch(path, 'strategic', { spec: { taints } });
    expect(first.body.spec.taints).toEqual(taints);
    const next = [{ key: 'b', effect: 'NoSchedule' }];
    expect((await world.patch(path, 'strategic', { spec: { taints: next } })).body.spec.taints).toEqual(next);
    await end();
  },

  'a strategic patch can add a toleration to a pod': async (world) => {
    const { path } = await start(world);
    const { body } = await world.patch(path, 'strategic', {
      spec: { tolerations: [{ key: 'k', operator: 'Exists' }] },
    });
    expect(body.spec.tolerations[0]).toEqual({ key: 'k', operator: 'Exists' });
  },

  'a strategic patch merges conditions and addresses of a node by type': async (world) => {
    const { patchStatus, end } = await startNode(world);
    const address = (type: string, text: string) => ({ type, address: text });
    await patchStatus({ addresses: [address('InternalIP', '10.0.0.1')] });
    const two = await patchStatus({ addresses: [address('Hostname', 'h')] });
    expect(two.addresses).toEqual([address('Hostname', 'h'), address('InternalIP', '10.0.0.1')]);
    const changed = await patchStatus({ addresses: [address('InternalIP', '10.0.0.2')] });
    expect(changed.addresses).toEqual([address('Hostname', 'h'), address('InternalIP', '10.0.0.2')]);
    const gone = await patchStatus({ addresses: [{ type: 'InternalIP', $patch: 'delete' }] });
    expect(gone.addresses).toEqual([address('Hostname', 'h')]);
    await end();
  },

  'a strategic patch replaces a list with $patch': async (world) => {
    const { patchStatus, end } = await startNode(world);
    await patchStatus({ conditions: [{ type: 'A', status: 'True' }] });
    const replaced = { conditions: [{ $patch: 'replace' }, { type: 'B', status: 'False' }] };
    const types = (await patchStatus(replaced)).conditions.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['B']);
    await end();
  },

  'a strategic patch merges ports of a Service by number': async (world) => {
    const path = `${await world.namespace()}/services`;
    await made(world, path, { metadata: { name: 'a' }, spec: { ports: [{ port: 80, name: 'a' }] } });
    const { body } = await world.patch(`${path}/a`, 'strategic', {
      spec: { ports: [{ port: 81, name: 'b' }] },
    });
    expect(body.spec.ports).toEqual([
      { name: 'b', protocol: 'TCP', port: 81, targetPort: 81 },
      { name: 'a', protocol: 'TCP', port: 80, targetPort: 80 },
    ]);
  },

  'a strategic patch with an item without its merge key is refused': async (world) => {
    const { path } = await start(world);
    expectRefusal(await world.patch(path, 'strategic', { spec: { containers: [{ image: 'x' }] } }), {
      code: 500,
      message: 'map: map[image:x] does not contain declared merge key: name',
    });
  },

  'a strategic patch replaces the selector of a budget': async (world) => {
    const path = `${inGroup(await world.namespace(), 'policy/v1')}/poddisruptionbudgets`;
    const spec = { minAvailable: 1, selector: { matchLabels: { a: '1' } } };
    await made(world, path, { metadata: { name: 'a' }, spec });
    const next = { selector: { matchLabels: { b: '2' } } };
    const { body } = await world.patch(`${path}/a`, 'strategic', { spec: next });
    expect(body.spec.selector.matchLabels).toEqual({ b: '2' });
  },
};

import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectBadRequest, expectInvalid, expectRefusal, invalid } from '../expectations.ts';
import { deployment, inGroup, made, pod } from '../objects.ts';
import type { KubernetesWorld } from '../world.ts';

/** A Deployment `a` without replicas, and its scale. */
async function start(world: KubernetesWorld) {
  const path = `${inGroup(await world.namespace(), 'apps/v1')}/deployments`;
  await made(world, path, deployment('a'));
  return `${path}/a/scale`;
}

const binding = (name: string, target: object) => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name },
  target,
});

/** The parts of objects that have paths of their own: scale, binding. */
export const scaleCases: Cases<KubernetesWorld> = {
  'a scale has the replicas and the selector of its workload': async (world) => {
    const path = await start(world);
    const { body } = await world.get(path);
    expect(body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'a', uid: expect.any(String) },
      status: { selector: 'app=a' },
    });
  },

  'a scale omits zero replicas': async (world) => {
    expect((await world.get(await start(world))).body.spec).toEqual({});
  },

  'a scale can be set by every kind of patch and by PUT': async (world) => {
    const path = await start(world);
    const replicas = [
      await world.patch(path, 'merge', { spec: { replicas: 2 } }),
      await world.patch(path, 'strategic', { spec: { replicas: 3 } }),
      await world.patch(path, 'json', [{ op: 'replace', path: '/spec/replicas', value: 4 }]),
      await world.put(path, { metadata: { name: 'a' }, spec: { replicas: 5 } }),
    ].map(({ body }) => body.spec.replicas);
    expect(replicas).toEqual([2, 3, 4, 5]);
    expect((await world.get(path.replace('/scale', ''))).body.spec.replicas).toBe(5);
  },

  'a scale with negative replicas is refused': async (world) => {
    const path = await start(world);
    expectInvalid(await world.patch(path, 'merge', { spec: { replicas: -2 } }), {
      kind: 'Scale',
      group: 'autoscaling',
      name: 'a',
      causes: [invalid('spec.replicas', '-2: must be greater than or equal to 0')],
    });
  },

  'a scale with an older resourceVersion is a conflict of its workload': async (world) => {
    const path = await start(world);
    const metadata = { name: 'a', resourceVersion: '1' };
    expectRefusal(await world.put(path, { metadata, spec: { replicas: 1 } }), {
      code: 409,
      reason: 'Conflict',
      message: /^Operation cannot be fulfilled on deployments.apps "a": the object has been modified;/,
      details: { name: 'a', group: 'apps', kind: 'deployments' },
    });
  },

  'a JSON patch of a scale with a failed test is not applied': async (world) => {
    const path = await start(world);
    const test = { op: 'test', path: '/metadata/name', value: 'b' };
    const replace = { op: 'add', path: '/spec/replicas', value: 3 };
    expect((await world.patch(path, 'json', [test, replace])).status).toBe(422);
    expect((await world.get(path)).body.spec.replicas).toBeUndefined();
  },

  'a pod is bound to a node by name, even to a missing node': async (world) => {
    const path = `${await world.namespace()}/pods`;
    await made(world, path, pod('a'));
    const answer = await world.post(`${path}/a/binding`, binding('a', { kind: 'Node', name: 'x' }));
    expect([answer.status, answer.body]).toEqual([
      201,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    ]);
    const { body } = await world.get(`${path}/a`);
    expect([body.spec.nodeName, body.metadata.generation]).toEqual(['x', 1]);
    expect(body.status.conditions).toEqual([
      expect.objectContaining({ type: 'PodScheduled', status: 'True' }),
    ]);
  },

  'a dry run binds nothing': async (world) => {
    const path = `${await world.namespace()}/pods`;
    await made(world, path, pod('a'));
    const bound = await world.post(`${path}/a/binding?dryRun=All`, binding('a', { kind: 'Node', name: 'x' }));
    expect(bound.status).toBe(201);
    expect((await world.get(`${path}/a`)).body.spec.nodeName).toBeUndefined();
  },

  'a pod can be bound once, and not while it terminates': async (world) => {
    const path = `${await world.namespace()}/pods`;
    await made(world, path, pod('a', { spec: { nodeName: 'x' } }));
    await made(world, path, pod('b', { metadata: { finalizers: ['x.y/z'] } }));
    await world.delete(`${path}/b`);
    const refusal = (name: string, why: string) => ({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on pods/binding "${name}": ${why}`,
      details: { name, kind: 'pods/binding' },
    });
    const target = { kind: 'Node', name: 'y' };
    const bind = (name: string) => world.post(`${path}/${name}/binding`, binding(name, target));
    expectRefusal(await bind('a'), refusal('a', 'pod a is already assigned to node "x"'));
    const why = 'pod b is being deleted, cannot be assigned to a host';
    expectRefusal(await bind('b'), refusal('b', why));
    await world.patch(`${path}/b`, 'merge', { metadata: { finalizers: null } });
  },

  'a binding needs the name of its pod and a node': async (world) => {
    const path = `${await world.namespace()}/pods`;
    await made(world, path, pod('a'));
    const bind = (body: object) => world.post(`${path}/a/binding`, body);
    expectBadRequest(
      await bind(binding('b', { kind: 'Node', name: 'x' })),
      'name in URL does not match name in Binding object',
    );
    expectRefusal(await bind(binding('a', { kind: 'Node' })), {
      code: 500,
      message: 'target.name: Required value',
    });
    expectRefusal(await bind(binding('a', { kind: 'Pod', name: 'x' })), {
      code: 500,
      message: 'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    });
  },
};

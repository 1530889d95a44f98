import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import {
  expectBadRequest,
  expectConflict,
  expectInvalid,
  expectNotFound,
  expectRefusal,
  expectSuccess,
  forbidden,
  invalid,
  unsupported,
} from '../expectations.ts';
import { configMap, deployment, inGroup, made, pod } from '../objects.ts';
import type { Answer, KubernetesWorld } from '../world.ts';

/** A pod `a` on a node without a kubelet, with a function that deletes it. */
async function start(world: KubernetesWorld, more: Parameters<typeof pod>[1] = {}) {
  const pods = `${await world.namespace()}/pods`;
  const spec = { nodeName: 'nowhere', ...more.spec };
  const object = await made(world, pods, pod('a', { ...more, spec }));
  const path = `${pods}/a`;
  return { path, object, remove: (query = '', body?: object) => world.delete(`${path}${query}`, body) };
}

/** Its grace, and in how many seconds it ends. */
function stamps({ status, body }: Answer) {
  const { deletionGracePeriodSeconds, deletionTimestamp, generation } = body.metadata;
  const seconds = (Date.parse(deletionTimestamp) - Date.now()) / 1000;
  return {
    status,
    grace: deletionGracePeriodSeconds,
    generation,
    isDue: Math.abs(seconds - deletionGracePeriodSeconds) < 3,
  };
}

const stamped = (grace: number) => ({ status: 200, grace, generation: 2, isDue: true });
const options = { kind: 'DeleteOptions', group: 'meta.k8s.io' };

/** Deletion: grace, finalizers, what it is held against. */
export const deleteCases: Cases<KubernetesWorld> = {
  'an immediate deletion answers with the name and the UID': async (world) => {
    const namespace = await world.namespace();
    const { metadata } = await made(world, `${namespace}/configmaps`, configMap('a'));
    const details = { name: 'a', kind: 'configmaps', uid: metadata.uid };
    expectSuccess(await world.delete(`${namespace}/configmaps/a`), details);
    expectNotFound(await world.delete(`${namespace}/configmaps/a`), 'configmaps', 'a');
    const deployments = `${inGroup(namespace, 'apps/v1')}/deployments`;
    const { uid } = (await made(world, deployments, deployment('b'))).metadata;
    const grouped = { name: 'b', group: 'apps', kind: 'deployments', uid };
    expectSuccess(await world.delete(`${deployments}/b`), grouped);
  },

  'an unscheduled pod is deleted at once, and the answer has the pod': async (world) => {
    const { path, remove } = await start(world, { spec: { nodeName: '' } });
    const answer = await remove();
    expect([answer.body.kind, stamps(answer)]).toEqual(['Pod', stamped(0)]);
    expect((await world.get(path)).status).toBe(404);
  },

  'the deletion of a pod on a node has its grace period': async (world) => {
    const { path, remove } = await start(world, { spec: { terminationGracePeriodSeconds: 20 } });
    expect(stamps(await remove())).toEqual(stamped(20));
    expect(stamps(await world.get(path))).toEqual(stamped(20));
  },

  'the grace period of a request overrides that of the pod, and a later one cannot prolong it': async (
    world,
  ) => {
    const { remove } = await start(world);
    expect(stamps(await remove('', { gracePeriodSeconds: 15 }))).toEqual(stamped(15));
    expect(stamps(await remove())).toEqual(stamped(15));
    expect(stamps(await remove('?gracePeriodSeconds=100'))).toEqual(stamped(15));
    expect(stamps(await remove('?gracePeriodSeconds=5'))).toEqual(stamped(5));
  },

  'a grace period of zero in the pod or the request deletes the pod at once': async (world) => {
    const one = await start(world, { spec: { terminationGracePeriodSeconds: 0 } });
    await one.remove();
    expect((await world.get(one.path)).status).toBe(404);
    const other = await start(world);
    await other.remove();
    expect(stamps(await other.remove('?gracePeriodSeconds=0'))).toEqual(stamped(0));
    expect((await world.get(other.path)).status).toBe(404);
  },

  'a negative grace period is one second': async (world) => {
    const { remove } = await start(world);
    expect(stamps(await remove('?dryRun=All', { gracePeriodSeconds: -1 }))).toEqual(stamped(1));
  },

  'a finished pod is deleted at once': async (world) => {
    const { path, remove } = await start(world);
    await world.patch(`${path}/status`, 'merge', { status: { phase: 'Succeeded' } });
    expect(stamps(await remove())).toEqual(stamped(0));
    expect((await world.get(path)).status).toBe(404);
  },

  'a dry run deletes nothing': async (world) => {
    const { path, remove } = await start(world);
    expect(stamps(await remove('?dryRun=All'))).toEqual(stamped(30));
    expect(stamps(await remove('', { dryRun: ['All'] }))).toEqual(stamped(30));
    expect((await world.get(path)).body.metadata).not.toHaveProperty('deletionTimestamp');
  },

  'an object with finalizers stays until the last one is removed': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    await made(world, path, configMap('a', {}, { finalizers: ['x.y/a', 'x.y/b'] }));
    const { status, body } = await world.delete(`${path}/a`);
    expect([status, body.kind, body.metadata.deletionGracePeriodSeconds]).toEqual([200, 'ConfigMap', 0]);
    expect((await world.delete(`${path}/a`)).body.kind).toBe('ConfigMap');
    await world.patch(`${path}/a`, 'merge', { metadata: { finalizers: ['x.y/a'] } });
    expect((await world.get(`${path}/a`)).status).toBe(200);
    await world.patch(`${path}/a`, 'merge', { metadata: { finalizers: [] } });
    expect((await world.get(`${path}/a`)).status).toBe(404);
  },

  'a pod is deleted once its grace period is over and its finalizers are removed': async (world) => {
    const { path, remove } = await start(world, { metadata: { finalizers: ['x.y/z'] } });
    await remove('?gracePeriodSeconds=0');
    expect(stamps(await world.get(path))).toEqual(stamped(0));
    await world.patch(path, 'merge', { metadata: { finalizers: null } });
    expect((await world.get(path)).status).toBe(404);
  },

  'a deletion cannot be undone': async (world) => {
    const { path, remove } = await start(world);
    await remove();
    await world.patch(path, 'merge', {
      metadata: { deletionTimestamp: null, deletionGracePeriodSeconds: null },
    });
    expect(stamps(await world.get(path))).toEqual(stamped(30));
  },

  'a finalizer cannot be added during a deletion': async (world) => {
    const { path, remove } = await start(world, { metadata: { finalizers: ['x.y/z'] } });
    await remove();
    const cause = forbidden(
      'metadata.finalizers',
      'no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.y/new"}',
    );
    const finalizers = ['x.y/z', 'x.y/new'];
    expectInvalid(await world.patch(path, 'merge', { metadata: { finalizers } }), {
      kind: 'Pod',
      name: 'a',
      causes: [cause, cause],
    });
    await world.patch(path, 'merge', { metadata: { finalizers: null } });
  },

  'a deletion with another UID or resourceVersion is a conflict that names the kind': async (world) => {
    const { object, remove } = await start(world);
    const { uid, resourceVersion } = object.metadata;
    expectConflict(
      await remove('', { preconditions: { uid: 'other' } }),
      'Pod',
      'a',
      `the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
    expectConflict(
      await remove('', { preconditions: { resourceVersion: '1' } }),
      'Pod',
      'a',
      `the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
    expect((await remove('', { preconditions: { uid, resourceVersion } })).status).toBe(200);
  },

  'a deletion with unknown options is refused': async (world) => {
    const { path, remove } = await start(world);
    expectInvalid(await remove('', { dryRun: ['Some'] }), {
      ...options,
      causes: [unsupported('dryRun', '["Some"]: supported values: "All"')],
    });
    expectInvalid(await remove('', { propagationPolicy: 'Some' }), {
      ...options,
      causes: [
        unsupported(
          'propagationPolicy',
          '"Some": supported values: "Foreground", "Background", "Orphan", "nil"',
        ),
      ],
    });
    expectInvalid(await remove('', { propagationPolicy: 'Foreground', orphanDependents: true }), {
      ...options,
      causes: [
        invalid(
          'propagationPolicy',
          '"Foreground": orphanDependents and deletionPropagation cannot be both set',
        ),
      ],
    });
    expect((await world.get(path)).body.metadata).not.toHaveProperty('deletionTimestamp');
  },

  'a deletion with malformed options is refused': async (world) => {
    const { path, remove } = await start(world);
    expectBadRequest(await remove('?gracePeriodSeconds=x'), 'strconv.ParseInt: parsing "x": invalid syntax');
    const unread = await world.call('DELETE', path, { body: '{' });
    expectRefusal(unread, {
      code: 500,
      message: "couldn't get version/kind; json parse error: unexpected end of JSON input",
    });
    const other = await world.call('DELETE', path, { body: '{}', headers: { 'content-type': 'text/plain' } });
    expect([other.status, other.body.reason]).toEqual([415, 'UnsupportedMediaType']);
  },

  'a deletion in the foreground or with orphans waits for the garbage collector': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    for (const [name, policy, finalizer] of [
      ['a', 'Foreground', 'foregroundDeletion'],
      ['b', 'Orphan', 'orphan'],
    ] as const) {
      await made(world, path, configMap(name));
      const { body } = await world.delete(`${path}/${name}?propagationPolicy=${policy}`);
      expect(body.metadata).toMatchObject({ finalizers: [finalizer], deletionGracePeriodSeconds: 0 });
    }
  },

  'the system namespaces cannot be deleted': async (world) => {
    for (const name of ['default', 'kube-system', 'kube-public'])
      expectRefusal(await world.delete(`/api/v1/namespaces/${name}`), {
        code: 403,
        reason: 'Forbidden',
        message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
        details: { name, kind: 'namespaces' },
      });
  },
};

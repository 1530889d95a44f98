import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectRefusal } from '../expectations.ts';
import { configMap, deployment, inGroup, made, nameOf, pod } from '../objects.ts';
import type { KubernetesWorld } from '../world.ts';

/** A namespace that goes, held by what is in it; gives what lets it go. */
async function start(world: KubernetesWorld) {
  const namespace = await world.namespace();
  await made(world, `${namespace}/configmaps`, configMap('held', {}, { finalizers: ['x.y/z'] }));
  await made(world, `${namespace}/pods`, pod('held', { metadata: { finalizers: ['x.y/z'] } }));
  const answer = await world.delete(namespace);
  const release = async () => {
    for (const kind of ['configmaps', 'pods'])
      await world.patch(`${namespace}/${kind}/held`, 'merge', { metadata: { finalizers: null } });
  };
  return { namespace, answer, release };
}

const terminating = (namespace: string, resource: { kind: string; group?: string }, name: string) => {
  const qualified = resource.group === undefined ? resource.kind : `${resource.kind}.${resource.group}`;
  return {
    code: 403,
    reason: 'Forbidden',
    message: `${qualified} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    details: {
      name,
      ...resource,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  };
};

/** A namespace that is being deleted. */
export const namespaceCases: Cases<KubernetesWorld> = {
  'a deleted namespace is Terminating while it contains objects': async (world) => {
    const { namespace, answer, release } = await start(world);
    expect([answer.status, answer.body.kind, answer.body.status.phase]).toEqual([
      200,
      'Namespace',
      'Terminating',
    ]);
    expect(answer.body.metadata.deletionTimestamp).toEqual(expect.any(String));
    expect(answer.body.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
    expect(answer.body.spec.finalizers).toEqual(['kubernetes']);
    expect((await world.get(namespace)).body.status.phase).toBe('Terminating');
    await release();
  },

  'a terminating namespace refuses new objects, also in a dry run': async (world) => {
    const { namespace, release } = await start(world);
    const name = nameOf(namespace);
    for (const query of ['', '?dryRun=All'])
      expectRefusal(
        await world.post(`${namespace}/configmaps${query}`, configMap('new')),
        terminating(name, { kind: 'configmaps' }, 'new'),
      );
    expectRefusal(
      await world.post(`${inGroup(namespace, 'apps/v1')}/deployments`, deployment('new')),
      terminating(name, { group: 'apps', kind: 'deployments' }, 'new'),
    );
    const applied = await world.patch(
      `${namespace}/configmaps/new?fieldManager=x`,
      'apply',
      configMap('new'),
    );
    expectRefusal(applied, terminating(name, { kind: 'configmaps' }, 'new'));
    await release();
  },

  'a refusal in a terminating namespace does not contain the generated name': async (world) => {
    const { namespace, release } = await start(world);
    const answer = await world.post(`${namespace}/configmaps`, { metadata: { generateName: 'new-' } });
    expectRefusal(answer, terminating(nameOf(namespace), { kind: 'configmaps' }, 'new-'));
    await release();
  },

  'a terminating namespace refuses evictions and tokens': async (world) => {
    const { namespace, release } = await start(world);
    const name = nameOf(namespace);
    const metadata = { name: 'held', namespace: name };
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata };
    expectRefusal(
      await world.post(`${namespace}/pods/held/eviction`, eviction),
      terminating(name, { kind: 'pods' }, 'held'),
    );
    expectRefusal(
      await world.post(`${namespace}/serviceaccounts/default/token`, {}),
      terminating(name, { kind: 'serviceaccounts' }, 'default'),
    );
    await release();
  },

  'objects in a terminating namespace can be changed and deleted': async (world) => {
    const { namespace, release } = await start(world);
    const { status } = await world.patch(`${namespace}/configmaps/held`, 'merge', { data: { a: '1' } });
    expect(status).toBe(200);
    expect((await world.delete(`${namespace}/pods/held?gracePeriodSeconds=0`)).status).toBe(200);
    await release();
  },
};

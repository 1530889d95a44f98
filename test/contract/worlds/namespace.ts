import type { World } from './world.ts';

/** Makes the namespace of the case, ready for pods: the account that they run as comes a moment later. */
export async function openNamespace(world: World): Promise<void> {
  const { namespace } = world;
  const { status, body } = await world.request('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  if (status !== 201) throw new Error(`the namespace ${namespace} was not created: ${status} ${body}`);
  const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
  await world.until(async () => (await world.request('GET', account)).status === 200, {
    withinSeconds: 30,
    what: `the ServiceAccount of ${namespace}`,
  });
}

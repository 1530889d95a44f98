import type { World } from './world.ts';

/** Makes the namespace of the scenario, ready for pods: the account that they run as comes a moment later. */
export async function openNamespace(world: World): Promise<void> {
  const { scenario } = world;
  const { status, body } = await world.request('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: scenario },
  });
  if (status !== 201) throw new Error(`the namespace ${scenario} was not created: ${status} ${body}`);
  const account = `/api/v1/namespaces/${scenario}/serviceaccounts/default`;
  await world.until(async () => (await world.request('GET', account)).status === 200, {
    withinSeconds: 30,
    what: `the ServiceAccount of ${scenario}`,
  });
}

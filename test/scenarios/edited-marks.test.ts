import { expect, it } from 'vitest';
import {
  createDroverWorld,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { heldDeployment, podsNamed, request, run } from '../../local/world/workloads.ts';
import { leavingAnnotation } from '../../shared/nodes/node-keys.ts';

const far = '2099-01-01T00:00:00.000Z';

it.each([
  ['its beginning', { since: far }],
  ['its deadline', { until: far }],
  ['its renewal', { renewedAt: far }],
  ['the end of its wait', { waitEndsAt: far, since: far, renewedAt: far }],
])('ends at its deadline although the kubelet moves %s in the mark', async (_, change) => {
  const world = createDroverWorld();
  const [id = ''] = await withWorkers(world, { size: 1 });
  await run(world, ...heldDeployment({ name: 'app', replicas: 1, graceSeconds: 30 }));
  await world.timeline.pass(60);
  const [name = ''] = nodesOf(world);
  terminate(world, id, { replace: false });
  await world.timeline.pass(60);
  const node = JSON.parse((await request(world, 'GET', `/api/v1/nodes/${name}`)).body) as {
    readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  };
  const mark = JSON.parse(node.metadata.annotations[leavingAnnotation] ?? '') as object;
  const token = world.kubernetes.addToken({
    username: `system:node:${name}`,
    groups: ['system:nodes', 'system:authenticated'],
  });
  const patched = await world.kubernetes.sendHttp({
    method: 'PATCH',
    url: `https://kubernetes.sandbox/api/v1/nodes/${name}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/merge-patch+json' },
    timeoutMilliseconds: 5000,
    body: JSON.stringify({
      metadata: { annotations: { [leavingAnnotation]: JSON.stringify({ ...mark, ...change }) } },
    }),
  });
  expect(patched.status).toBe(200);
  await world.timeline.pass(1980);
  expect(podsNamed(world, 'app').filter(({ spec }) => spec?.nodeName === name)).toEqual([]);
  expect(stateOf(world, id)).toBeUndefined();
});

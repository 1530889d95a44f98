import { expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  nodesOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, podsOn, request, run } from '../../local/world/workloads.ts';
import { nodeNameOf, passesOf, untilSaid } from '../support/observed-instance.ts';

/** Workers whose Nodes have names that no look-up by name finds. */
const byHand = (instance: { readonly instanceId: string }) => ({
  nodeName: `by-hand-${instance.instanceId.slice(-4)}`,
});

const dnsNameOf = ({ account }: DroverWorld, instanceId: string): string =>
  account.ec2.operations.DescribeInstances({ InstanceIds: [instanceId] }).Reservations?.[0]?.Instances?.[0]
    ?.PrivateDnsName ?? '';

it('a list from a watch cache that is minutes behind does not prove that an instance has no Node', async () => {
  let staleSeconds = 0;
  const world = createDroverWorld({
    kubelets: { configure: byHand },
    weather: { staleSeconds: ({ to }) => (to === 'kubernetes' ? staleSeconds : 0) },
  });
  const [leaving = ''] = await withWorkers(world, { size: 3 });
  await run(world, deployment({ name: 'web', replicas: 6 }));
  const node = nodeNameOf(world, leaving);
  expect(podsOn(world, node).length).toBeGreaterThan(0);
  staleSeconds = 3600;
  terminate(world, leaving, { replace: false });
  await untilSaid(world, leaving, /is drained and deleted; its hook is completed/);
  expect(podsOn(world, node)).toEqual([]);
});

it('if two Nodes have the same providerID, the current one is drained first, and the instance leaves when both are drained', async () => {
  const world = createDroverWorld({ kubelets: { configure: byHand } });
  const [leaving = ''] = await withWorkers(world, { size: 3 });
  await run(world, deployment({ name: 'web', replicas: 6 }));
  const living = nodeNameOf(world, leaving);
  const stale = dnsNameOf(world, leaving);
  const providerID = `aws:///eu-west-1a/${leaving}`;
  const answer = await request(world, 'POST', '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: stale },
    spec: { providerID },
  });
  expect(answer.status).toBe(201);
  terminate(world, leaving, { replace: false });
  await untilSaid(world, leaving, /its hook is completed/);
  const reasons = passesOf(world, leaving).map(({ reason }) => String(reason));
  expect(reasons.join()).toContain(
    `node ${living} is drained and deleted; another node of the instance is next`,
  );
  expect(podsOn(world, living)).toEqual([]);
  expect(nodesOf(world)).not.toContain(living);
  expect(nodesOf(world)).not.toContain(stale);
});

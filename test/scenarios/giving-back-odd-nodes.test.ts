import { expect, it } from 'vitest';
import { type DroverWorld, membersOf } from '../../local/world/drover-world.ts';
import { boundsOf } from '../../local/world/holds.ts';
import { request } from '../../local/world/workloads.ts';
import { givingBackAnnotation } from '../../shared/nodes/node-keys.ts';
import { instanceIdOf } from '../../shared/nodes/node-names.ts';
import { emptyNodes, giveBack, isKept, nodesOf, openWhileLeaving } from '../support/giving-back.ts';

type Node = ReturnType<typeof nodesOf>[number];

const change = ({ kubernetes }: DroverWorld, node: Node | undefined, changed: (node: Node) => Node): void =>
  void (node && kubernetes.registry.update('nodes', node, (found) => changed(found)));

const stateOf = (world: DroverWorld, instanceId: string | undefined) =>
  membersOf(world).find(({ InstanceId }) => InstanceId === instanceId)?.LifecycleState;

it.each([0, 1, 2])(
  'a group keeps its nodes where only an old list shows more open ones than MinSize (all but number %i are cordoned)',
  async (open) => {
    let isStale = false;
    const world = await emptyNodes({
      weather: { staleSeconds: ({ to }) => (to === 'kubernetes' && isStale ? 120 : 0) },
    });
    isStale = true;
    nodesOf(world).forEach((node, place) => {
      if (place !== open)
        change(world, node, (found) => ({ ...found, spec: { ...found.spec, unschedulable: true } }));
    });
    await world.timeline.pass(5);
    await giveBack(world);
    expect(boundsOf(world).desiredCapacity).toBe(3);
    expect(nodesOf(world).filter((node) => !isKept(node))).toHaveLength(1);
  },
);

it('an instance whose empty Node has the name of another machine stays', async () => {
  const world = await emptyNodes({});
  const [own] = nodesOf(world);
  const instanceId = instanceIdOf(own?.spec?.providerID);
  world.kubelets.get(instanceId ?? '')?.pause();
  await request(world, 'DELETE', `/api/v1/nodes/${own?.metadata.name}`);
  world.kubernetes.registry.create('nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'ip-10-9-9-9.eu-west-1.compute.internal' },
    spec: { providerID: own?.spec?.providerID },
    status: own?.status,
  });
  await giveBack(world);
  expect(boundsOf(world).desiredCapacity).toBe(2);
  expect(stateOf(world, instanceId)).toBe('InService');
});

it('a reserved node that was uncordoned is cordoned again before its instance leaves', async () => {
  const world = await emptyNodes({});
  const [, reserved] = nodesOf(world);
  const annotations = { [givingBackAnnotation]: new Date(world.clock.now()).toISOString() };
  change(world, reserved, (found) => ({ ...found, metadata: { ...found.metadata, annotations } }));
  await giveBack(world);
  expect(stateOf(world, instanceIdOf(reserved?.spec?.providerID))).toMatch(/^Terminating/);
  expect(openWhileLeaving(world)).toEqual([]);
});

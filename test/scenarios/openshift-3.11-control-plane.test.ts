import { expect, it } from 'vitest';
import {
  type DroverWorld,
  membersOf,
  nodesOf,
  stateOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { isNodeReady } from '../../shared/nodes/node-condition.ts';
import { world311 } from '../support/openshift-311.ts';

const masters = 'masters';
const compute = 'compute';

const idsIn = (world: DroverWorld, group: string): readonly string[] =>
  membersOf(world, group).map(({ InstanceId = '' }) => InstanceId);

/** Nodes that are Ready and do not leave. */
const servingIn = ({ kubernetes }: DroverWorld): number =>
  kubernetes.store
    .of('nodes')
    .list()
    .filter((node) => isNodeReady(node) && node.spec?.unschedulable !== true).length;

it('with the APIs of Kubernetes 1.11, a control plane that leaves at once keeps three nodes serving, and compute nodes come and go apart from it', async () => {
  const world = world311();
  const old = await withWorkers(world, { autoScalingGroupName: masters, size: 3, role: 'control-plane' });
  world.account.autoScaling.operations.StartInstanceRefresh({
    AutoScalingGroupName: masters,
    Preferences: { MinHealthyPercentage: 0 },
  });
  let fewest = 3;
  await world.timeline.until(
    () => {
      fewest = Math.min(fewest, servingIn(world));
      return old.every((id) => stateOf(world, id) === undefined) && nodesOf(world).length === 3;
    },
    { withinSeconds: 7200, what: 'a new control plane' },
  );
  expect(fewest).toBe(3);
  const updated = idsIn(world, masters);
  expect(updated).toHaveLength(3);

  await withWorkers(world, { autoScalingGroupName: compute, size: 1 });
  for (const size of [3, 2]) {
    world.account.autoScaling.operations.SetDesiredCapacity({
      AutoScalingGroupName: compute,
      DesiredCapacity: size,
    });
    await world.timeline.until(
      () =>
        idsIn(world, compute).length === size &&
        servingIn(world) === 3 + size &&
        nodesOf(world).length === 3 + size,
      { withinSeconds: 1200, what: `${size} compute nodes beside the control plane` },
    );
  }
  expect(idsIn(world, masters)).toEqual(updated);
  expect(world.problems).toEqual([]);
});

import type { CallInFlight } from '@drover/cloud-sandbox';
import { expect, it } from 'vitest';
import { createDroverWorld, type DroverWorldOptions, withWorkers } from '../../local/world/drover-world.ts';
import { boundsOf, holdParameters, putHold, serving } from '../../local/world/holds.ts';
import { withNodegroup } from '../support/eks-nodegroup.ts';

const invalidSizes = /(?:UpdateNodegroupConfig|UpdateAutoScalingGroup|SetDesiredCapacity)$/;

/** A node group of EKS from 1 to 4 nodes, and the calls of Drover that change sizes. */
async function withChanges(strike: (call: CallInFlight) => ReturnType<Strikes> = () => undefined) {
  const changes: string[] = [];
  const world = createDroverWorld({
    weather: {
      strike: (call) => {
        if (invalidSizes.test(call.what)) changes.push(`${call.caller}: ${call.what}`);
        return strike(call);
      },
    },
  });
  await withWorkers(world, { size: 1 });
  return { world, group: await withNodegroup(world), changes };
}

type Strikes = NonNullable<NonNullable<DroverWorldOptions['weather']>['strike']>;

it('a hold raises the sizes of a managed node group only through EKS, and restores them at its end', async () => {
  const { world, group, changes } = await withChanges();
  putHold(world, { group, nodes: 3, minutes: 30 });
  await world.timeline.until(() => serving(world, group) === 3, { withinSeconds: 400, what: 'the nodes' });
  expect(boundsOf(world, group)).toEqual({ minSize: 3, maxSize: 4, desiredCapacity: 3 });
  await world.timeline.pass(40 * 60);
  expect(boundsOf(world, group)).toEqual({ minSize: 1, maxSize: 4, desiredCapacity: 3 });
  expect(holdParameters(world)).toEqual([]);
  expect(changes).toEqual(['prewarm: eks UpdateNodegroupConfig', 'prewarm: eks UpdateNodegroupConfig']);
  expect(world.problems).toEqual([]);
});

it('a hold waits while EKS updates the node group for something else', async () => {
  const { world, group } = await withChanges();
  const { eks } = world.account;
  const names = { clusterName: 'drover', nodegroupName: 'blue' };
  const updating = setUpdating();
  function setUpdating() {
    let left = 30;
    const update = (): void => {
      eks.operations.UpdateNodegroupConfig({ ...names, scalingConfig: {} });
      left -= 1;
      if (left > 0) world.clock.after(20_001, update);
    };
    update();
    return () => left > 0;
  }
  putHold(world, { group, nodes: 3, minutes: 60 });
  await world.timeline.pass(500);
  expect(updating()).toBe(true);
  await world.timeline.until(() => serving(world, group) === 3, { withinSeconds: 600, what: 'the nodes' });
  expect(world.problems).toEqual([]);
});

it('an answer of EKS that was lost costs no node and no bound', async () => {
  let strikes = 0;
  const { world, group } = await withChanges(({ what }) => {
    if (!what.endsWith('UpdateNodegroupConfig')) return undefined;
    strikes += 1;
    return strikes === 1 ? { kind: 'kill-after' } : undefined;
  });
  putHold(world, { group, nodes: 3, minutes: 30 });
  await world.timeline.until(() => serving(world, group) === 3, { withinSeconds: 600, what: 'the nodes' });
  await world.timeline.pass(45 * 60);
  expect(boundsOf(world, group)).toEqual({ minSize: 1, maxSize: 4, desiredCapacity: 3 });
});

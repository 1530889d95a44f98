import { expect, test } from 'vitest';
import { readRelease } from '../../local/deployment/load-release.ts';
import {
  clusterName,
  createDroverWorld,
  type DroverWorld,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { boundsOf, putHold, serving } from '../../local/world/holds.ts';
import { deployment, podsOn, run } from '../../local/world/workloads.ts';
import { releasedDirectory, releasedTemplate } from '../support/released.ts';

const template = await releasedTemplate();

/** A world in which the template of a release is deployed instead of the packaged one. */
const releasedWorld = (): DroverWorld =>
  createDroverWorld({
    editWiring: ({ accountId, region }) =>
      readRelease({
        template,
        directory: releasedDirectory,
        stackName: 'drover-prod',
        accountId,
        region,
        parameters: { Cluster: clusterName, DrainTimeout: '5m' },
      }),
  });

test('a deployed release drains a node that leaves', async () => {
  const world = releasedWorld();
  const [first = ''] = await withWorkers(world, { size: 2 });
  await run(world, deployment({ name: 'web', replicas: 4 }));
  terminate(world, first, { replace: false });
  await world.timeline.until(() => stateOf(world, first) === undefined, {
    withinSeconds: 200,
    what: 'the end of the instance',
  });
  await world.timeline.pass(30);
  expect(nodesOf(world)).toHaveLength(1);
  expect(podsOn(world, nodesOf(world)[0] ?? '')).toHaveLength(4);
  expect(world.lines.some(({ functionName }) => functionName === 'node-leaving')).toBe(true);
  expect(world.problems).toEqual([]);
});

test('a deployed release raises a group for a hold, and gives the floor back', async () => {
  const world = releasedWorld();
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
  putHold(world, { nodes: 3, minutes: 10 });
  await world.timeline.until(() => serving(world) === 3, { withinSeconds: 300, what: 'the nodes' });
  await world.timeline.pass(15 * 60);
  expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 3 });
  expect(world.problems).toEqual([]);
});

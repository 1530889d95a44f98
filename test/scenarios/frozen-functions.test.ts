import type { UnawaitedWork } from '@drover/cloud-sandbox';
import { expect, it } from 'vitest';
import { createDroverWorld, nodesOf, terminate, withWorkers } from '../../local/world/drover-world.ts';
import { deployment, run } from '../../local/world/workloads.ts';
import { untilGone } from '../support/observed-instance.ts';

it.each<UnawaitedWork>(['resumes-at-next-invocation', 'is-lost'])(
  'a node leaves as quickly where the work that a function did not await %s: Drover awaits all of it',
  async (work) => {
    const world = createDroverWorld({ weather: { unawaitedWork: () => work } });
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    await run(world, deployment({ name: 'web', replicas: 6 }));
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving, 30);
    expect(nodesOf(world)).toHaveLength(1);
  },
);

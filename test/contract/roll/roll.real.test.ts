import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { kubernetes, kwok } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  configureRollingNode,
  openRollingWorld,
  type RollingWorld,
} from '../../../local/real-world/roll/roll-world.ts';
import { runDroverIn } from '../../../local/real-world/terminal.ts';
import { quickTimings } from '../../../local/real-world/timings.ts';
import { createRealWorld, type RealWorld } from '../../../local/real-world/world.ts';

const missing =
  kubernetes.missing ?? kwok.missing ?? (chosenEtcd.isInstalled ? undefined : 'npm run real:etcd');
const claim = { area: 'Rolls', world: `real cluster ${kubernetes.version}` };

describe.skipIf(missing !== undefined)(
  `drover roll --all in a real cluster${missing ? `: ${missing}` : ''}`,
  () => {
    const problems: unknown[] = [];
    const onProblem = (problem: unknown): void => void problems.push(problem);
    let world: RealWorld;
    let rolling: RollingWorld;

    beforeAll(async () => {
      world = await createRealWorld({
        nodes: 'kwok',
        speed: 5,
        timings: quickTimings,
        configureNode: configureRollingNode,
        onProblem,
      });
      rolling = await openRollingWorld(world, {
        workers: 3,
        controlPlanes: 2,
        workloads: 10,
        withEtcd: false,
        onProblem,
      });
    }, 120_000);

    afterAll(async () => {
      await rolling.close();
      await world.close();
      expect(problems).toEqual([]);
    });

    it('replaces all nodes, the control plane first, and every workload has a ready endpoint on a living node at each moment', {
      timeout: 240_000,
      meta: { claim },
    }, async () => {
      const said = await runDroverIn(world, ['roll', '--all', '--everything', '--bake', '0s']);
      expect(said).toContain('roll all has begun');
      await rolling.until('the end of the roll', 200, () => rolling.seen('all')?.state === 'done');
      expect(rolling.old()).toBe(0);
      expect(rolling.ended).toEqual([...Array(2).fill('control-plane'), ...Array(3).fill('workers')]);
      expect(rolling.endpoints.gaps()).toEqual([]);
      expect(await rolling.marked('all')).toEqual([]);
      // Each of the twenty was evicted once; those that were evicted again are at most a tenth of them.
      expect((rolling.endpoints.pods() - 20) / 20).toBeLessThanOrEqual(1.1);
    });

    it('would have named the gap of a workload whose pods are all deleted', { timeout: 60_000 }, async () => {
      const answer = await requestOf(world.admin, {
        method: 'DELETE',
        path: '/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb-0&gracePeriodSeconds=0',
      });
      expect(answer.status).toBe(200);
      await rolling.until('a gap', 30, () =>
        rolling.endpoints.gaps().some(({ service }) => service === 'web-0'),
      );
    });
  },
);

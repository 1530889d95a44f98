import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { kubernetes, kwok } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addGroup } from '../../../local/cloud/furnish.ts';
import { clusterName, hookName } from '../../../local/names.ts';
import { runDroverIn } from '../../../local/real-world/terminal.ts';
import { quickTimings } from '../../../local/real-world/timings.ts';
import { createRealWorld, type RealWorld } from '../../../local/real-world/world.ts';
import { eventually } from '../../support/eventually.ts';

const missing =
  kubernetes.missing ?? kwok.missing ?? (chosenEtcd.isInstalled ? undefined : 'npm run real:etcd');
const claim = { area: 'Trial', world: `real cluster ${kubernetes.version}` };

describe.skipIf(missing !== undefined)(
  `drover trial in a real cluster${missing ? `: ${missing}` : ''}`,
  () => {
    const problems: unknown[] = [];
    let world: RealWorld;

    const group = () =>
      world.cloud.account.autoScaling.operations.DescribeAutoScalingGroups({
        AutoScalingGroupNames: ['workers'],
      }).AutoScalingGroups[0];
    const inService = (): readonly string[] =>
      (group()?.Instances ?? [])
        .filter(({ LifecycleState }) => LifecycleState === 'InService')
        .map(({ InstanceId = '' }) => InstanceId);

    beforeAll(async () => {
      world = await createRealWorld({
        nodes: 'kwok',
        speed: 3,
        timings: quickTimings,
        onProblem: (problem) => void problems.push(problem),
      });
      addGroup(world.cloud, {
        autoScalingGroupName: 'workers',
        clusterName,
        size: 2,
        hook: { name: hookName, heartbeatTimeoutSeconds: 600 },
        settings: { MinSize: 1, MaxSize: 5 },
      });
      await eventually(() => expect(inService()).toHaveLength(2));
    }, 240_000);

    afterAll(async () => {
      await world.close();
      expect(problems).toEqual([]);
    });

    it('passes each step: the scheduler places the pods, the budget lets one go at a time, and nothing is left', {
      timeout: 480_000,
      meta: { claim },
    }, async () => {
      const before = inService();
      const said = await runDroverIn(world, ['trial', 'workers', '--yes']);
      expect(said).toMatch(/^pods {3}passed in .*: 2 pods run on ip-/m);
      expect(said).toMatch(/^drain {2}passed in .*node-leaving: .*its hook is completed$/m);
      expect(said).toContain('The trial of workers has passed, and nothing of it is left');
      expect(inService().toSorted()).toEqual(before.toSorted());
      expect(group()).toMatchObject({ MinSize: 1, DesiredCapacity: 2 });
    });
  },
);

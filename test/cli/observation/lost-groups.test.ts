import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { beforeEach, describe, expect, it } from 'vitest';
import { lostGroupsReader } from '../../../cli/observation/lost-groups.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { surfaces } from '../../support/problems/surfaces.ts';
import { operatorOf } from '../operator.ts';

let world: DroverWorld;

beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  await withWorkers(world, { size: 1, autoScalingGroupName: 'lost' });
});

const loseTags = (...keys: readonly string[]): void => {
  world.account.autoScaling.operations.DeleteTags({
    Tags: keys.map((Key) => ({ ResourceId: 'lost', ResourceType: 'auto-scaling-group', Key })),
  });
};

const kindsOf = async (surface: 'status' | 'ui'): Promise<readonly (string | undefined)[]> =>
  (await surfaces[surface](world)).problems.flatMap(({ kind, subject }) =>
    subject === 'lost' ? [kind] : [],
  );

describe.each(['status', 'ui'] as const)(
  'a group that has lost the tag of its cluster, on drover %s',
  (surface) => {
    it('is found by its Nodes while nothing leaves, with the hook whose waits nothing completes', async () => {
      expect(await kindsOf(surface)).toEqual([]);
      loseTags('kubernetes.io/cluster/drover');
      expect(await kindsOf(surface)).toEqual(['hook', 'tag']);
      loseTags('drover.dev/role');
      expect(await kindsOf(surface)).toEqual(['hook']);
    });

    it('is of no concern without hooks and tags of Drover: others have groups too', async () => {
      loseTags('kubernetes.io/cluster/drover', 'drover.dev/role');
      world.account.autoScaling.operations.DeleteLifecycleHook({
        AutoScalingGroupName: 'lost',
        LifecycleHookName: 'drover-node-leaving',
      });
      expect(await kindsOf(surface)).toEqual([]);
    });
  },
);

// Clusters with Karpenter have hundreds of Nodes that are of no group, and others each minute.
it('asks again only for new instances within a minute, and for all of them after it', async () => {
  const clock = createVirtualClock(0);
  const asked: string[] = [];
  const read = lostGroupsReader(
    () => ({
      client: {} as AutoScalingClient,
      describeInstance: (instanceId) => {
        asked.push(instanceId);
        return Promise.resolve(undefined);
      },
    }),
    clock,
  );
  await read(['i-1', 'i-2'], []);
  clock.moveTo(2000);
  await read(['i-1', 'i-2', 'i-3'], []);
  clock.moveTo(4000);
  await read(['i-1', 'i-3'], []);
  expect(asked).toEqual(['i-1', 'i-2', 'i-3']);
  clock.moveTo(61_000);
  await read(['i-1', 'i-3', 'i-4'], []);
  expect(asked).toEqual(['i-1', 'i-2', 'i-3', 'i-1', 'i-4']);
});

describe('drover status', () => {
  it('prints the command that restores the tags of such a group', async () => {
    loseTags('kubernetes.io/cluster/drover');
    expect((await operatorOf(world)('status')).out).toMatch(
      /lost: it has Drover’s hook .*\n {4}aws autoscaling create-or-update-tags .*kubernetes.io\/cluster\/drover,Value=owned/,
    );
  });

  it('shows the listed groups, and what is missing, if it may not ask for the group of an instance', async () => {
    loseTags('kubernetes.io/cluster/drover');
    const actions = [
      'autoscaling:DescribeAutoScalingGroups',
      'autoscaling:DescribeLifecycleHooks',
      'autoscaling:DescribeScheduledActions',
      'ec2:*',
      'cloudwatch:*',
      'sqs:*',
      'ssm:*',
      'scheduler:*',
    ];
    const { out } = await operatorOf(world, { actions })('status --json');
    expect(JSON.parse(out)).toMatchObject({
      groups: [{ autoScalingGroupName: 'workers' }],
      missing: [{ what: 'Auto Scaling', reason: expect.stringContaining('DescribeAutoScalingInstances') }],
    });
  });
});

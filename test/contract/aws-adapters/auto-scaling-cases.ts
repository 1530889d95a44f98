import {
  DescribeLifecycleHooksCommand,
  PutLifecycleHookCommand,
  type TagDescription,
} from '@aws-sdk/client-auto-scaling';
import {
  type AutoScalingWorld,
  inOrder,
  openGroup,
  tag,
} from '@drover/cloud-sandbox/test/contract/auto-scaling/world.ts';
import { newName } from '@drover/cloud-sandbox/test/contract/support/new-name.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { createAutoScaling, readGroups } from '../../../shared/aws/auto-scaling.ts';
import { autoScalingClient } from '../../../shared/aws/clients.ts';
import { removeGroupTag, setGroupTag } from '../../../shared/aws/group-tags.ts';
import { createGroups } from '../../../shared/aws/groups.ts';
import { putLifecycleHook } from '../../../shared/aws/lifecycle-hooks.ts';
import type { Groups } from '../../../shared/capacity/groups.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import type { AwsWorld } from './world.ts';

const missingInstance = 'i-0123456789abcdef0';

const worldOf = async ({ autoScaling, ec2, imageId, pass }: AwsWorld): Promise<AutoScalingWorld> => ({
  client: autoScaling,
  ec2,
  imageId: await imageId(),
  pass,
});
const autoScalingOf = ({ connection }: AwsWorld) =>
  createAutoScaling({
    client: autoScalingClient(connection),
    clusterName: 'none',
  });
const textsOf = (tags: readonly TagDescription[] = []): readonly string[] =>
  inOrder(tags.map(({ Key, Value }) => `${Key}=${Value}`));

async function described(groups: Groups, name: string): Promise<AutoScalingGroup> {
  const group = await groups.describeGroup(name);
  if (!group) throw new Error(`there is no group ${name}`);
  return group;
}

/** Two groups of one cluster, workers and etcd, and one of another. */
async function openCluster(world: AutoScalingWorld) {
  const cluster = newName();
  const owned = tag(`kubernetes.io/cluster/${cluster}`, 'owned');
  const workers = await openGroup(world, { Tags: [owned, tag('drover.dev/role', 'worker')] });
  const etcd = await openGroup(world, { Tags: [owned, tag('drover.dev/role', 'etcd')] });
  await openGroup(world, {
    Tags: [tag(`kubernetes.io/cluster/${newName()}`, 'owned'), tag('drover.dev/role', 'etcd')],
  });
  return { cluster, workers: workers.name, etcd: etcd.name };
}

/** What Drover asks of Auto Scaling, and what it makes of the answers. */
export const autoScalingCases: Cases<AwsWorld> = {
  'Drover reads the instances of groups, and no others': async (world) => {
    const { name, settle } = await openGroup(await worldOf(world), { DesiredCapacity: 1 });
    const id = (await settle()).Instances?.[0]?.InstanceId ?? '';
    const autoScaling = autoScalingOf(world);
    const [seen, unseen] = await Promise.all([
      autoScaling.describeInstance(id),
      autoScaling.describeInstance(missingInstance),
    ]);
    expect([seen?.autoScalingGroupName, seen?.lifecycleState, unseen]).toEqual([
      name,
      'InService',
      undefined,
    ]);
  },
  'Drover sets the desired capacity': async (world) => {
    const { name } = await openGroup(await worldOf(world));
    const groups = createGroups({ connection: world.connection, clusterName: 'none' });
    await groups.setCapacity(await described(groups, name), { desiredCapacity: 2 });
    expect((await groups.describeGroup(name))?.desiredCapacity).toBe(2);
  },
  'Drover raises MaxSize with the desired capacity in one call': async (world) => {
    const { name } = await openGroup(await worldOf(world), { MaxSize: 2 });
    const groups = createGroups({ connection: world.connection, clusterName: 'none' });
    await groups.setCapacity(await described(groups, name), { desiredCapacity: 3, maxSize: 3 });
    expect(await groups.describeGroup(name)).toMatchObject({ maxSize: 3, desiredCapacity: 3 });
  },
  'Drover raises MinSize, and Auto Scaling raises the desired capacity to it': async (world) => {
    const { name } = await openGroup(await worldOf(world), { MinSize: 0, MaxSize: 2, DesiredCapacity: 0 });
    const groups = createGroups({ connection: world.connection, clusterName: 'none' });
    const boundsOf = async () => {
      const { minSize, maxSize, desiredCapacity } = (await groups.describeGroup(name)) ?? {};
      return { minSize, maxSize, desiredCapacity };
    };
    await groups.setBounds(await described(groups, name), { minSize: 3, maxSize: 4 });
    expect(await boundsOf()).toEqual({ minSize: 3, maxSize: 4, desiredCapacity: 3 });
    await groups.setBounds(await described(groups, name), { minSize: 1 });
    expect(await boundsOf()).toEqual({ minSize: 1, maxSize: 4, desiredCapacity: 3 });
  },
  'Drover reads refused capacities as invalid or gone': async (world) => {
    const { name } = await openGroup(await worldOf(world), { MaxSize: 2 });
    const groups = createGroups({ connection: world.connection, clusterName: 'none' });
    const group = await described(groups, name);
    await expect(groups.setCapacity(group, { desiredCapacity: 3 })).rejects.toMatchObject({
      code: 'invalid',
    });
    const missing = { ...group, autoScalingGroupName: newName() };
    await expect(groups.setCapacity(missing, { desiredCapacity: 1 })).rejects.toMatchObject({ code: 'gone' });
    expect(await groups.describeGroup(missing.autoScalingGroupName)).toBeUndefined();
  },
  'Drover accepts the refusal to terminate an instance outside groups': async (world) => {
    expect(await autoScalingOf(world).terminate(missingInstance)).toBe('not-in-group');
  },
  'a hook that Drover changes keeps its other settings': async (world) => {
    const { name } = await openGroup(await worldOf(world));
    const hook = { AutoScalingGroupName: name, LifecycleHookName: 'drain' };
    await world.autoScaling.send(
      new PutLifecycleHookCommand({
        ...hook,
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
        NotificationMetadata: 'mine',
        HeartbeatTimeout: 300,
        DefaultResult: 'ABANDON',
      }),
    );
    await putLifecycleHook(autoScalingClient(world.connection), {
      autoScalingGroupName: name,
      lifecycleHookName: 'drain',
      transition: 'terminating',
      heartbeatTimeoutSeconds: 900,
      defaultResult: 'CONTINUE',
    });
    const described = await world.autoScaling.send(
      new DescribeLifecycleHooksCommand({ AutoScalingGroupName: name }),
    );
    expect(described.LifecycleHooks).toMatchObject([
      { HeartbeatTimeout: 900, DefaultResult: 'CONTINUE', NotificationMetadata: 'mine' },
    ]);
  },
  'Drover finds the groups of its cluster': async (world) => {
    const { cluster, workers, etcd } = await openCluster(await worldOf(world));
    const groups = await readGroups(autoScalingClient(world.connection), cluster);
    expect(inOrder(groups.map(({ autoScalingGroupName }) => autoScalingGroupName))).toEqual(
      inOrder([workers, etcd]),
    );
    const seen = groups.find(({ autoScalingGroupName }) => autoScalingGroupName === workers);
    expect(seen?.tags).toMatchObject({
      [`kubernetes.io/cluster/${cluster}`]: 'owned',
      'drover.dev/role': 'worker',
    });
  },
  'Drover sets, changes and deletes a tag': async (world) => {
    const { name, read } = await openGroup(await worldOf(world), { Tags: [tag('kept', 'x', true)] });
    const client = autoScalingClient(world.connection);
    const held = { autoScalingGroupName: name, key: 'drover.dev/hold/morning' };
    await setGroupTag(client, { ...held, value: '5 until noon' });
    await setGroupTag(client, { ...held, value: '7 until noon' });
    expect(textsOf((await read()).Tags)).toEqual(['drover.dev/hold/morning=7 until noon', 'kept=x']);
    await removeGroupTag(client, held);
    expect(textsOf((await read()).Tags)).toEqual(['kept=x']);
    await removeGroupTag(client, held);
  },
  'Drover cannot set a tag on a group that has 50': async (world) => {
    const Tags = Array.from({ length: 50 }, (_, index) => tag(`k${index}`, 'x'));
    const { name } = await openGroup(await worldOf(world), { Tags });
    const setting = setGroupTag(autoScalingClient(world.connection), {
      autoScalingGroupName: name,
      key: 'another',
      value: 'x',
    });
    await expect(setting).rejects.toMatchObject({ name: 'GroupTagError' });
  },
};

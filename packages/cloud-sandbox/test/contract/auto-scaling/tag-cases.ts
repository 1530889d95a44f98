import {
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeTagsCommand,
  type Filter,
} from '@aws-sdk/client-auto-scaling';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newName } from '../support/new-name.ts';
import { type AutoScalingWorld, inOrder, openGroup, tag } from './world.ts';

async function groupsBy({ client }: AutoScalingWorld, ...Filters: Filter[]): Promise<string[]> {
  const { AutoScalingGroups } = await client.send(new DescribeAutoScalingGroupsCommand({ Filters }));
  return inOrder(AutoScalingGroups?.map(({ AutoScalingGroupName }) => AutoScalingGroupName));
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
  return { cluster, key: owned.Key, workers: workers.name, etcd: etcd.name };
}

const setTag = ({ client }: AutoScalingWorld, ResourceId: string, { Key, Value }: ReturnType<typeof tag>) =>
  client.send(
    new CreateOrUpdateTagsCommand({
      Tags: [{ ResourceId, ResourceType: 'auto-scaling-group', Key, Value, PropagateAtLaunch: false }],
    }),
  );

/** A group with a tag that its instances get and one that they do not. */
async function openTags(world: AutoScalingWorld) {
  const { name } = await openGroup(world, { Tags: [tag('a', '1', true), tag('b', '2')] });
  const by = async (...more: Filter[]) => {
    const Filters = [{ Name: 'auto-scaling-group', Values: [name] }, ...more];
    const { Tags } = await world.client.send(new DescribeTagsCommand({ Filters }));
    return inOrder(Tags?.map(({ Key, Value }) => `${Key}=${Value}`));
  };
  return { by };
}

/** Tags and filters: CreateOrUpdateTags, DeleteTags, DescribeTags, Filter. */
export const autoScalingTagCases: Cases<AutoScalingWorld> = {
  // Filter: tag-key, tag-value, tag:<key>.
  'groups can be filtered by tag key, tag value, and both': async (world) => {
    const { key, workers, etcd } = await openCluster(world);
    const ofKey = { Name: 'tag-key', Values: [key] };
    const both = inOrder([workers, etcd]);
    expect(await groupsBy(world, ofKey)).toEqual(both);
    expect(await groupsBy(world, ofKey, { Name: 'tag-value', Values: ['etcd'] })).toEqual([etcd]);
    expect(await groupsBy(world, ofKey, { Name: 'tag:drover.dev/role', Values: ['worker'] })).toEqual([
      workers,
    ]);
    expect(await groupsBy(world, ofKey, { Name: 'tag:drover.dev/role', Values: ['worker', 'etcd'] })).toEqual(
      both,
    );
    expect(await groupsBy(world, { Name: 'tag-key', Values: [newName()] })).toEqual([]);
  },
  'an unknown filter is refused': async (world) => {
    await expect(groupsBy(world, { Name: 'colour', Values: ['red'] })).rejects.toMatchObject({
      name: 'ValidationError',
    });
  },
  'groups are listed in pages, each group once': async (world) => {
    const key = newName();
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1)
      made.push((await openGroup(world, { Tags: [tag(key, 'x')] })).name);
    const found: (string | undefined)[] = [];
    let NextToken: string | undefined;
    do {
      const Filters = [{ Name: 'tag-key', Values: [key] }];
      const page = await world.client.send(
        new DescribeAutoScalingGroupsCommand({ Filters, MaxRecords: 2, NextToken }),
      );
      expect(page.AutoScalingGroups?.length).toBeLessThanOrEqual(2);
      found.push(...(page.AutoScalingGroups ?? []).map(({ AutoScalingGroupName }) => AutoScalingGroupName));
      NextToken = page.NextToken;
    } while (NextToken);
    expect(inOrder(found)).toEqual(inOrder(made));
  },
  // DescribeAutoScalingGroups, InvalidNextToken.
  'an unknown page token is refused': async ({ client }) => {
    await expect(
      client.send(new DescribeAutoScalingGroupsCommand({ NextToken: 'made-up' })),
    ).rejects.toMatchObject({ name: 'InvalidNextToken' });
  },
  'a tag can be set, changed and deleted, and deleting it again is not an error': async (world) => {
    const { name, read } = await openGroup(world, { Tags: [tag('kept', 'x', true)] });
    const tags = async () => inOrder((await read()).Tags?.map(({ Key, Value }) => `${Key}=${Value}`));
    await setTag(world, name, tag('changed', '5'));
    await setTag(world, name, tag('changed', '7'));
    expect(await tags()).toEqual(['changed=7', 'kept=x']);
    const Tags = [{ ResourceId: name, ResourceType: 'auto-scaling-group', Key: 'changed' }];
    await world.client.send(new DeleteTagsCommand({ Tags }));
    expect(await tags()).toEqual(['kept=x']);
    await world.client.send(new DeleteTagsCommand({ Tags }));
  },
  'a tag shows its group and whether it is propagated': async (world) => {
    const { name, read } = await openGroup(world, { Tags: [tag('a', '1', true), tag('b', '2')] });
    const of = { ResourceId: name, ResourceType: 'auto-scaling-group' };
    const { Tags = [] } = await read();
    expect(Tags).toHaveLength(2);
    expect(Tags).toContainEqual({ ...of, ...tag('a', '1', true) });
    expect(Tags).toContainEqual({ ...of, ...tag('b', '2') });
  },
  'tags can be filtered by group, key and value': async (world) => {
    const { by } = await openTags(world);
    expect(await by()).toEqual(['a=1', 'b=2']);
    expect(await by({ Name: 'key', Values: ['b'] })).toEqual(['b=2']);
    expect(await by({ Name: 'value', Values: ['1'] })).toEqual(['a=1']);
    expect(await by({ Name: 'key', Values: ['b'] }, { Name: 'value', Values: ['1'] })).toEqual([]);
  },
  'tags can be filtered by propagate-at-launch': async (world) => {
    const { by } = await openTags(world);
    expect(await by({ Name: 'propagate-at-launch', Values: ['true'] })).toEqual(['a=1']);
  },
  'a missing group cannot be tagged': async ({ client }) => {
    const ResourceId = newName();
    const Tags = [{ ResourceId, ResourceType: 'auto-scaling-group', ...tag('a', '1') }];
    await expect(client.send(new CreateOrUpdateTagsCommand({ Tags }))).rejects.toMatchObject({
      name: 'ValidationError',
    });
  },
  // User guide, "Tag Auto Scaling groups and instances".
  'a group has 50 tags at most': async (world) => {
    const { name } = await openGroup(world, {
      Tags: Array.from({ length: 50 }, (_, index) => tag(`k${index}`, 'x')),
    });
    await setTag(world, name, tag('k0', 'y'));
    await expect(setTag(world, name, tag('another', 'x'))).rejects.toMatchObject({
      name: 'LimitExceededFault',
    });
  },
};

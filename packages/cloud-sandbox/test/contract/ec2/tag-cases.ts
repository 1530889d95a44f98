import { CreateTagsCommand, DeleteTagsCommand, DescribeTagsCommand, type Tag } from '@aws-sdk/client-ec2';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { type Ec2World, instanceOf, launch, tagged } from './world.ts';

const named = (name: string) => ({ name });

async function openTags(world: Ec2World) {
  const { id } = await launch(world, tagged('role', 'worker'));
  const Resources = [id];
  return {
    id,
    set: (...Tags: Tag[]) => world.client.send(new CreateTagsCommand({ Resources, Tags })),
    remove: (Tags?: Tag[]) =>
      world.client.send(new DeleteTagsCommand({ Resources, ...(Tags === undefined ? {} : { Tags }) })),
    read: async () =>
      Object.fromEntries(((await instanceOf(world, id)).Tags ?? []).map(({ Key, Value }) => [Key, Value])),
  };
}

/** Tags of instances: CreateTags, DeleteTags, DescribeTags. */
export const ec2TagCases: Cases<Ec2World> = {
  'a tag is added, or replaces the older value': async (world) => {
    const { set, read } = await openTags(world);
    await set({ Key: 'role', Value: 'etcd' }, { Key: 'zone', Value: 'a' });
    expect(await read()).toEqual({ role: 'etcd', zone: 'a' });
  },
  // DeleteTags, Tags.
  'deleting a tag with a value deletes it only if the value is equal': async (world) => {
    const { set, remove, read } = await openTags(world);
    await set({ Key: 'zone', Value: 'a' });
    await remove([{ Key: 'role', Value: 'other' }]);
    expect(await read()).toEqual({ role: 'worker', zone: 'a' });
    await remove([{ Key: 'role', Value: 'worker' }, { Key: 'zone' }]);
    expect(await read()).toEqual({});
  },
  // DeleteTags: "If you omit this parameter, we delete all user-defined tags for the specified resources."
  'deleting tags without naming any deletes all of them': async (world) => {
    const { remove, read } = await openTags(world);
    await remove();
    expect(await read()).toEqual({});
  },
  'tag keys that begin with aws: are reserved': async (world) => {
    const { set, read } = await openTags(world);
    await expect(set({ Key: 'aws:mine', Value: 'x' })).rejects.toMatchObject(named('InvalidParameterValue'));
    expect(await read()).toEqual({ role: 'worker' });
  },
  'an instance has 50 tags at most': async (world) => {
    const { set } = await openTags(world);
    await set(...Array.from({ length: 49 }, (_, index) => ({ Key: `k${index}`, Value: 'x' })));
    await set({ Key: 'k0', Value: 'y' });
    await expect(set({ Key: 'another', Value: 'x' })).rejects.toMatchObject(named('TagLimitExceeded'));
  },
  'a missing instance cannot be tagged': async ({ client }) => {
    const Resources = ['i-0123456789abcdef0'];
    await expect(
      client.send(new CreateTagsCommand({ Resources, Tags: [{ Key: 'a', Value: 'b' }] })),
    ).rejects.toMatchObject(named('InvalidInstanceID.NotFound'));
  },
  'tags can be filtered by resource, key and value': async (world) => {
    const { id, set } = await openTags(world);
    await set({ Key: 'zone', Value: 'a' });
    const by = async (...Filters: { Name: string; Values: string[] }[]) => {
      const ofIt = { Name: 'resource-id', Values: [id] };
      const { Tags } = await world.client.send(new DescribeTagsCommand({ Filters: [ofIt, ...Filters] }));
      return Tags?.map(({ Key, Value, ResourceType }) => `${ResourceType} ${Key}=${Value}`).sort();
    };
    expect(await by()).toEqual(['instance role=worker', 'instance zone=a']);
    expect(await by({ Name: 'key', Values: ['zone'] })).toEqual(['instance zone=a']);
    expect(await by({ Name: 'value', Values: ['work*'] })).toEqual(['instance role=worker']);
  },
};

import {
  CancelInstanceRefreshCommand,
  DescribeInstanceRefreshesCommand,
  StartInstanceRefreshCommand,
  type StartInstanceRefreshType,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { type AutoScalingWorld, openGroup, openTemplate } from './world.ts';

type Start = Omit<StartInstanceRefreshType, 'AutoScalingGroupName'>;

/** A group of two instances whose refresh has begun. */
async function openRefresh(world: AutoScalingWorld, start: Start = {}) {
  const { client } = world;
  const group = await openGroup(world, { DesiredCapacity: 2 });
  const ids = ((await group.settle()).Instances ?? []).map(({ InstanceId = '' }) => InstanceId);
  const AutoScalingGroupName = group.name;
  const begin = (more: Start = {}) =>
    client.send(new StartInstanceRefreshCommand({ AutoScalingGroupName, ...more }));
  const { InstanceRefreshId: id } = await begin(start);
  const read = async () => {
    const InstanceRefreshIds = id === undefined ? [] : [id];
    const { InstanceRefreshes = [] } = await client.send(
      new DescribeInstanceRefreshesCommand({ AutoScalingGroupName, InstanceRefreshIds }),
    );
    return InstanceRefreshes[0];
  };
  const cancel = () => client.send(new CancelInstanceRefreshCommand({ AutoScalingGroupName }));
  const until = async (status: string) => {
    for (let second = 0; second < 600 && (await read())?.Status !== status; second += 1) await world.pass(1);
    expect((await read())?.Status).toBe(status);
  };
  return { group, ids, id, begin, read, cancel, until };
}

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-refresh-overview.html and the API reference. */
export const autoScalingRefreshCases: Cases<AutoScalingWorld> = {
  'an instance refresh replaces all instances and ends as Successful': async (world) => {
    const { group, ids, read, until } = await openRefresh(world);
    expect((await read())?.Status).toBe('Pending');
    await until('Successful');
    expect(await read()).toMatchObject({
      PercentageComplete: 100,
      InstancesToUpdate: 0,
      Preferences: { MinHealthyPercentage: 90 },
    });
    const now = ((await group.settle()).Instances ?? []).map(({ InstanceId = '' }) => InstanceId);
    expect(now).toHaveLength(2);
    expect(ids.filter((id) => now.includes(id))).toEqual([]);
  },
  'a group has one active instance refresh at a time': async (world) => {
    const { begin } = await openRefresh(world);
    await expect(begin()).rejects.toMatchObject({ name: 'InstanceRefreshInProgressFault' });
  },
  'a cancelled instance refresh ends as Cancelled, and none is left to cancel': async (world) => {
    const { id, cancel, until } = await openRefresh(world);
    await world.pass(5);
    expect((await cancel()).InstanceRefreshId).toBe(id);
    await until('Cancelled');
    await expect(cancel()).rejects.toMatchObject({ name: 'ActiveInstanceRefreshNotFoundFault' });
  },
  'a group has the desired configuration once its instance refresh is successful, and keeps its own until then':
    async (world) => {
      const { id } = await openTemplate(world);
      const LaunchTemplate = { LaunchTemplateId: id, Version: '1' };
      const { group, read, until } = await openRefresh(world, { DesiredConfiguration: { LaunchTemplate } });
      const update = new UpdateAutoScalingGroupCommand({ AutoScalingGroupName: group.name, LaunchTemplate });
      await expect(world.client.send(update)).rejects.toMatchObject({ name: 'ValidationError' });
      expect((await group.read()).LaunchTemplate?.LaunchTemplateId).toBe(group.template.id);
      expect((await read())?.DesiredConfiguration?.LaunchTemplate?.LaunchTemplateId).toBe(id);
      await until('Successful');
      const { LaunchTemplate: after, Instances = [] } = await group.settle();
      expect(after?.LaunchTemplateId).toBe(id);
      for (const instance of Instances) expect(instance.LaunchTemplate?.LaunchTemplateId).toBe(id);
    },
};

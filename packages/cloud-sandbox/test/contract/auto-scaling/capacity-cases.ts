import {
  DescribeScalingActivitiesCommand,
  SetDesiredCapacityCommand,
  SetInstanceHealthCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { expect } from 'vitest';
import { createAutoScaling } from '../../../../../shared/aws/auto-scaling.ts';
import { autoScalingClient } from '../../../../../shared/aws/clients.ts';
import { createGroups } from '../../../../../shared/aws/groups.ts';
import type { Cases } from '../../../truth/contract.ts';
import { type AutoScalingWorld, newName, openGroup } from './world.ts';

const invalid = { name: 'ValidationError' };
const idsIn = (group: { Instances?: { InstanceId: string | undefined }[] | undefined }): string[] =>
  (group.Instances ?? []).map(({ InstanceId = '' }) => InstanceId);

const groupsOf = ({ connection }: AutoScalingWorld) =>
  createGroups({ client: autoScalingClient(connection), clusterName: 'none' });

const end = ({ client }: AutoScalingWorld, InstanceId: string) =>
  client.send(
    new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity: true }),
  );

/** Capacity: SetDesiredCapacity, UpdateAutoScalingGroup, TerminateInstanceInAutoScalingGroup. */
export const autoScalingCapacityCases: Cases<AutoScalingWorld> = {
  'a group takes the desired capacity, and instances come and go': async (world) => {
    const { name, settle } = await openGroup(world, { DesiredCapacity: 1 });
    const [first] = idsIn(await settle());
    const set = (DesiredCapacity: number) =>
      world.client.send(new SetDesiredCapacityCommand({ AutoScalingGroupName: name, DesiredCapacity }));
    await set(3);
    const three = idsIn(await settle());
    expect(three).toHaveLength(3);
    expect(three).toContain(first);
    await set(0);
    expect(idsIn(await settle())).toEqual([]);
  },
  'Drover sets the desired capacity': async (world) => {
    const { name } = await openGroup(world);
    await groupsOf(world).setDesiredCapacity(name, 2);
    expect((await groupsOf(world).describeGroup(name))?.desiredCapacity).toBe(2);
  },
  'a desired capacity outside of the bounds is refused': async (world) => {
    const { name, read } = await openGroup(world, { MinSize: 1, MaxSize: 2, DesiredCapacity: 1 });
    for (const capacity of [0, 3])
      await expect(groupsOf(world).setDesiredCapacity(name, capacity)).rejects.toMatchObject({
        code: 'invalid',
      });
    expect((await read()).DesiredCapacity).toBe(1);
  },
  'a group that is not there has no capacity to set': async (world) => {
    await expect(groupsOf(world).setDesiredCapacity(newName(), 1)).rejects.toMatchObject({ code: 'gone' });
    expect(await groupsOf(world).describeGroup(newName())).toBeUndefined();
  },
  'bounds that cross are refused': async (world) => {
    await expect(openGroup(world, { MinSize: 3, MaxSize: 2, DesiredCapacity: 2 })).rejects.toMatchObject(
      invalid,
    );
    await expect(openGroup(world, { MinSize: 0, MaxSize: 2, DesiredCapacity: 3 })).rejects.toMatchObject(
      invalid,
    );
  },
  // UpdateAutoScalingGroup: "If a new value for MinSize is specified without setting a value for DesiredCapacity, and the new
  // MinSize is larger than the current size of the group, this sets the group's DesiredCapacity to the new MinSize value",
  // and the like for MaxSize.
  'new bounds move the desired capacity along': async (world) => {
    const { name, read } = await openGroup(world, { MinSize: 0, MaxSize: 5, DesiredCapacity: 1 });
    const update = (bounds: { MinSize?: number; MaxSize?: number; DesiredCapacity?: number }) =>
      world.client.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName: name, ...bounds }));
    await update({ MinSize: 3 });
    expect(await read()).toMatchObject({ MinSize: 3, MaxSize: 5, DesiredCapacity: 3 });
    await update({ MinSize: 0, MaxSize: 2 });
    expect(await read()).toMatchObject({ MinSize: 0, MaxSize: 2, DesiredCapacity: 2 });
  },
  'an instance that is terminated is replaced': async (world) => {
    const { settle, read } = await openGroup(world, { MinSize: 1, DesiredCapacity: 1 });
    const [first = ''] = idsIn(await settle());
    const answer = await world.client.send(
      new TerminateInstanceInAutoScalingGroupCommand({
        InstanceId: first,
        ShouldDecrementDesiredCapacity: false,
      }),
    );
    expect(answer.Activity?.AutoScalingGroupName).toBe((await read()).AutoScalingGroupName);
    await world.pass(60);
    const after = idsIn(await settle());
    expect(after).toHaveLength(1);
    expect(after).not.toContain(first);
  },
  'an instance is terminated without replacement': async (world) => {
    const { name, settle, read } = await openGroup(world, { MinSize: 1, DesiredCapacity: 2 });
    const [InstanceId = '', other] = idsIn(await settle());
    const answer = await end(world, InstanceId);
    expect(answer.Activity?.AutoScalingGroupName).toBe(name);
    await world.pass(60);
    expect(await read()).toMatchObject({ DesiredCapacity: 1, Instances: [{ InstanceId: other }] });
  },
  'no instance is terminated without replacement where that leaves fewer than the minimum': async (world) => {
    const { settle, read } = await openGroup(world, { MinSize: 1, DesiredCapacity: 1 });
    const [InstanceId = ''] = idsIn(await settle());
    await expect(end(world, InstanceId)).rejects.toMatchObject(invalid);
    expect(idsIn(await read())).toEqual([InstanceId]);
  },
  'an instance of no group is not terminated, and Drover takes that for an answer': async (world) => {
    const client = autoScalingClient(world.connection);
    const autoScaling = createAutoScaling({ client, clock: { now: () => 0 }, clusterName: 'none' });
    expect(await autoScaling.terminate('i-0123456789abcdef0')).toBe('not-in-group');
  },
  'an instance that is called unhealthy is replaced': async (world) => {
    const { settle } = await openGroup(world, { DesiredCapacity: 1, HealthCheckGracePeriod: 0 });
    const [InstanceId = ''] = idsIn(await settle());
    await world.client.send(new SetInstanceHealthCommand({ InstanceId, HealthStatus: 'Unhealthy' }));
    await world.pass(60);
    const after = idsIn(await settle());
    expect(after).toHaveLength(1);
    expect(after).not.toContain(InstanceId);
  },
  'a group tells what it did': async (world) => {
    const { name, settle } = await openGroup(world, { DesiredCapacity: 1 });
    const [id = ''] = idsIn(await settle());
    const { Activities = [] } = await world.client.send(
      new DescribeScalingActivitiesCommand({ AutoScalingGroupName: name }),
    );
    expect(Activities[0]).toMatchObject({ AutoScalingGroupName: name, StatusCode: 'Successful' });
    expect(Activities[0]?.Description).toContain(id);
  },
};

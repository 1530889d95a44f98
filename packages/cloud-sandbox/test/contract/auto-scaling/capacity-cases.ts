import {
  DescribeScalingActivitiesCommand,
  SetDesiredCapacityCommand,
  SetInstanceHealthCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newName } from '../support/new-name.ts';
import { type AutoScalingWorld, openGroup } from './world.ts';

const invalid = { name: 'ValidationError' };
const idsIn = (group: { Instances?: { InstanceId: string | undefined }[] | undefined }): string[] =>
  (group.Instances ?? []).map(({ InstanceId = '' }) => InstanceId);

const setCapacity = ({ client }: AutoScalingWorld, AutoScalingGroupName: string, DesiredCapacity: number) =>
  client.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity }));

const end = ({ client }: AutoScalingWorld, InstanceId: string) =>
  client.send(
    new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity: true }),
  );

/** Capacity: SetDesiredCapacity, UpdateAutoScalingGroup, TerminateInstanceInAutoScalingGroup. */
export const autoScalingCapacityCases: Cases<AutoScalingWorld> = {
  'a group reaches its desired capacity by launching and terminating instances': async (world) => {
    const { name, settle } = await openGroup(world, { DesiredCapacity: 1 });
    const [first] = idsIn(await settle());
    await setCapacity(world, name, 3);
    const three = idsIn(await settle());
    expect(three).toHaveLength(3);
    expect(three).toContain(first);
    await setCapacity(world, name, 0);
    expect(idsIn(await settle())).toEqual([]);
  },
  'a desired capacity outside the minimum and maximum is refused': async (world) => {
    const { name, read } = await openGroup(world, { MinSize: 1, MaxSize: 2, DesiredCapacity: 1 });
    for (const capacity of [0, 3])
      await expect(setCapacity(world, name, capacity)).rejects.toMatchObject(invalid);
    expect((await read()).DesiredCapacity).toBe(1);
  },
  'the capacity of a missing group cannot be set': async (world) => {
    await expect(setCapacity(world, newName(), 1)).rejects.toMatchObject(invalid);
  },
  'a minimum above the maximum is refused': async (world) => {
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
  'new bounds move the desired capacity between them': async (world) => {
    const { name, read } = await openGroup(world, { MinSize: 0, MaxSize: 5, DesiredCapacity: 1 });
    const update = (bounds: { MinSize?: number; MaxSize?: number; DesiredCapacity?: number }) =>
      world.client.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName: name, ...bounds }));
    await update({ MinSize: 3 });
    expect(await read()).toMatchObject({ MinSize: 3, MaxSize: 5, DesiredCapacity: 3 });
    await update({ MinSize: 0, MaxSize: 2 });
    expect(await read()).toMatchObject({ MinSize: 0, MaxSize: 2, DesiredCapacity: 2 });
  },
  'a terminated instance is replaced': async (world) => {
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
  'an instance can be terminated without replacement': async (world) => {
    const { name, settle, read } = await openGroup(world, { MinSize: 1, DesiredCapacity: 2 });
    const [InstanceId = '', other] = idsIn(await settle());
    const answer = await end(world, InstanceId);
    expect(answer.Activity?.AutoScalingGroupName).toBe(name);
    await world.pass(60);
    expect(await read()).toMatchObject({ DesiredCapacity: 1, Instances: [{ InstanceId: other }] });
  },
  'a termination without replacement below the minimum is refused': async (world) => {
    const { settle, read } = await openGroup(world, { MinSize: 1, DesiredCapacity: 1 });
    const [InstanceId = ''] = idsIn(await settle());
    await expect(end(world, InstanceId)).rejects.toMatchObject(invalid);
    expect(idsIn(await read())).toEqual([InstanceId]);
  },
  'an instance outside groups cannot be terminated through Auto Scaling': async (world) => {
    await expect(end(world, 'i-0123456789abcdef0')).rejects.toMatchObject(invalid);
  },
  'an instance that is set to Unhealthy is replaced': async (world) => {
    const { settle } = await openGroup(world, { DesiredCapacity: 1, HealthCheckGracePeriod: 0 });
    const [InstanceId = ''] = idsIn(await settle());
    await world.client.send(new SetInstanceHealthCommand({ InstanceId, HealthStatus: 'Unhealthy' }));
    await world.pass(60);
    const after = idsIn(await settle());
    expect(after).toHaveLength(1);
    expect(after).not.toContain(InstanceId);
  },
  'a group lists its scaling activities': async (world) => {
    const { name, settle } = await openGroup(world, { DesiredCapacity: 1 });
    const [id = ''] = idsIn(await settle());
    const { Activities = [] } = await world.client.send(
      new DescribeScalingActivitiesCommand({ AutoScalingGroupName: name }),
    );
    expect(Activities[0]).toMatchObject({ AutoScalingGroupName: name, StatusCode: 'Successful' });
    expect(Activities[0]?.Description).toContain(id);
  },
};

import {
  DescribeAccountSettingsCommand,
  PutAccountSettingCommand,
  PutLifecycleHookCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import {
  CreateTargetGroupCommand,
  DescribeTargetHealthCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newName } from '../support/new-name.ts';
import { type AutoScalingWorld, type LoadBalancedWorld, openGroup } from './world.ts';

type States = readonly (readonly [id: string, state: string])[];
type Opened = Awaited<ReturnType<typeof openGroup>>;

const statesIn = async ({ read }: Opened): Promise<States> =>
  ((await read()).Instances ?? []).map(({ InstanceId = '', LifecycleState = '' }) => [
    InstanceId,
    LifecycleState,
  ]);

const stateOf = async (group: Opened, id: string): Promise<string | undefined> =>
  (await statesIn(group)).find(([one]) => one === id)?.[1];

/** A group whose instances wait for an hour before they terminate. */
async function openDraining(world: AutoScalingWorld, settings: Parameters<typeof openGroup>[1]) {
  const group = await openGroup(world, settings);
  const ids = ((await group.settle()).Instances ?? []).map(({ InstanceId = '' }) => InstanceId);
  await world.client.send(
    new PutLifecycleHookCommand({
      AutoScalingGroupName: group.name,
      LifecycleHookName: 'drain',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      HeartbeatTimeout: 3600,
    }),
  );
  return { group, ids };
}

const terminate = (world: AutoScalingWorld, InstanceId: string) =>
  world.client.send(
    new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity: false }),
  );

async function targetGroup({ elb }: LoadBalancedWorld, VpcId: string | undefined): Promise<string> {
  const settings = { Name: newName().slice(0, 32).replace(/-$/, ''), Port: 80, VpcId };
  const { TargetGroups } = await elb.send(new CreateTargetGroupCommand({ ...settings, Protocol: 'HTTP' }));
  return TargetGroups?.[0]?.TargetGroupArn ?? '';
}

/** How a group replaces what leaves: https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html */
export const autoScalingReplacementCases: Cases<LoadBalancedWorld> = {
  'the replacement of a terminated instance is in service while the instance waits on its hook': async (
    world,
  ) => {
    const { group, ids } = await openDraining(world, { MaxSize: 1, DesiredCapacity: 1 });
    const [old = ''] = ids;
    await terminate(world, old);
    await world.pass(120);
    expect(await stateOf(group, old)).toBe('Terminating:Wait');
    expect((await statesIn(group)).map(([, state]) => state).toSorted()).toEqual([
      'InService',
      'Terminating:Wait',
    ]);
  },
  'a terminating instance is deregistered from the target groups before it waits on its hook': async (
    world,
  ) => {
    const { template } = await openGroup(world);
    const TargetGroupArn = await targetGroup(world, template.subnets[0]?.VpcId);
    const { group, ids } = await openDraining(world, {
      DesiredCapacity: 1,
      TargetGroupARNs: [TargetGroupArn],
    });
    const [old = ''] = ids;
    const healthOf = async (id: string) => {
      const { TargetHealthDescriptions = [] } = await world.elb.send(
        new DescribeTargetHealthCommand({ TargetGroupArn }),
      );
      return TargetHealthDescriptions.find(({ Target }) => Target?.Id === id)?.TargetHealth?.State;
    };
    expect(await healthOf(old)).toBeDefined();
    await terminate(world, old);
    await world.pass(60);
    expect(await healthOf(old)).toBe('draining');
    expect(await stateOf(group, old)).toBe('Terminating');
    await world.pass(300);
    expect(await healthOf(old)).toBeUndefined();
    expect(await stateOf(group, old)).toBe('Terminating:Wait');
  },
  'an instance that no longer runs is replaced at once, whatever the instance maintenance policy': async (
    world,
  ) => {
    const group = await openGroup(world, {
      MaxSize: 1,
      DesiredCapacity: 1,
      InstanceMaintenancePolicy: { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 },
    });
    const [{ InstanceId: old = '' } = {}] = (await group.settle()).Instances ?? [];
    await world.ec2.send(new TerminateInstancesCommand({ InstanceIds: [old] }));
    await world.pass(120);
    const ids = ((await group.settle()).Instances ?? []).map(({ InstanceId }) => InstanceId);
    expect(ids).toHaveLength(1);
    expect(ids).not.toContain(old);
  },
  'one request terminates several instances of a group': async (world) => {
    const group = await openGroup(world, { DesiredCapacity: 3 });
    const ids = ((await group.settle()).Instances ?? []).map(({ InstanceId = '' }) => InstanceId);
    const { Activities = [] } = await world.client.send(
      new TerminateInstanceInAutoScalingGroupCommand({
        AutoScalingGroupName: group.name,
        InstanceIds: ids.slice(0, 2),
        ShouldDecrementDesiredCapacity: true,
      }),
    );
    expect(Activities).toHaveLength(2);
    await world.pass(120);
    expect((await group.settle()).Instances?.map(({ InstanceId }) => InstanceId)).toEqual(ids.slice(2));
  },
  'the account setting launchBeforeTerminate is disabled until it is put, and takes no other value': async (
    world,
  ) => {
    const value = async () =>
      (await world.client.send(new DescribeAccountSettingsCommand({ Name: 'launchBeforeTerminate' })))
        .Settings?.[0]?.Value;
    const put = (Value: string) =>
      world.client.send(new PutAccountSettingCommand({ Name: 'launchBeforeTerminate', Value }));
    expect(await value()).toBe('disabled');
    await put('enabled');
    expect(await value()).toBe('enabled');
    await expect(put('on')).rejects.toMatchObject({ name: 'ValidationError' });
    await put('disabled');
  },
};

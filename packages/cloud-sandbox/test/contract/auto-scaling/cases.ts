import {
  DeleteAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeAutoScalingInstancesCommand,
  PutWarmPoolCommand,
  ResumeProcessesCommand,
  SetInstanceProtectionCommand,
  SuspendProcessesCommand,
} from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newName } from '../support/new-name.ts';
import { autoScalingCapacityCases } from './capacity-cases.ts';
import { autoScalingHookCases } from './hook-cases.ts';
import { autoScalingMaintenanceCases } from './maintenance-cases.ts';
import { autoScalingRefreshCases } from './refresh-cases.ts';
import { autoScalingReplacementCases } from './replacement-cases.ts';
import { autoScalingTagCases } from './tag-cases.ts';
import { autoScalingWaitCases } from './wait-cases.ts';
import { type AutoScalingWorld, groupOf, type LoadBalancedWorld, openGroup, tag, typeIn } from './world.ts';

const invalid = { name: 'ValidationError' };
const unknown = 'i-0123456789abcdef0';

/** Groups and their instances: the API reference of EC2 Auto Scaling. */
const autoScalingGroupCases: Cases<AutoScalingWorld> = {
  'a group shows its settings and the defaults': async (world) => {
    const { name, template, read } = await openGroup(world, { MinSize: 0, MaxSize: 4, DesiredCapacity: 0 });
    const group = await read();
    expect(group).toMatchObject({
      AutoScalingGroupName: name,
      MinSize: 0,
      MaxSize: 4,
      DesiredCapacity: 0,
      DefaultCooldown: 300,
      HealthCheckType: 'EC2',
      VPCZoneIdentifier: template.subnetIds,
      NewInstancesProtectedFromScaleIn: false,
      TerminationPolicies: ['Default'],
      LaunchTemplate: {
        LaunchTemplateId: template.id,
        LaunchTemplateName: template.name,
        Version: '$Latest',
      },
    });
    const zones = template.subnets.map(({ AvailabilityZone }) => AvailabilityZone);
    expect(new Set(group.AvailabilityZones)).toEqual(new Set(zones));
    expect(group.AutoScalingGroupARN).toMatch(
      new RegExp(
        `^arn:aws:autoscaling:[^:]+:\\d+:autoScalingGroup:[0-9a-f-]{36}:autoScalingGroupName/${name}$`,
      ),
    );
    expect(group.CreatedTime).toBeInstanceOf(Date);
    expect(group.Status).toBeUndefined();
  },
  'an instance of a group shows its state, its zone and its launch template': async (world) => {
    const { template, settle } = await openGroup(world, { DesiredCapacity: 2 });
    const { Instances = [] } = await settle();
    expect(Instances).toHaveLength(2);
    for (const instance of Instances)
      expect(instance).toMatchObject({
        LifecycleState: 'InService',
        HealthStatus: 'Healthy',
        InstanceType: typeIn(world),
        ProtectedFromScaleIn: false,
        LaunchTemplate: { LaunchTemplateId: template.id, LaunchTemplateName: template.name },
      });
    const zones = template.subnets.map(({ AvailabilityZone }) => AvailabilityZone);
    for (const { AvailabilityZone } of Instances) expect(zones).toContain(AvailabilityZone);
  },
  // User guide, "Create a launch template": an instance keeps the number of the version that launched it.
  'an instance shows the version number of its launch template': async (world) => {
    const { settle } = await openGroup(world, { DesiredCapacity: 1 });
    expect((await settle()).Instances?.[0]?.LaunchTemplate?.Version).toBe('1');
  },
  'instances of a group have its propagated tags and its name in EC2': async (world) => {
    const Tags = [tag('role', 'worker', true), tag('owner', 'me')];
    const { name, settle } = await openGroup(world, { DesiredCapacity: 1, Tags });
    const id = (await settle()).Instances?.[0]?.InstanceId ?? '';
    const answer = await world.ec2.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
    const instance = answer.Reservations?.[0]?.Instances?.[0];
    const tags = Object.fromEntries((instance?.Tags ?? []).map(({ Key, Value }) => [Key, Value]));
    expect(tags).toMatchObject({ role: 'worker', 'aws:autoscaling:groupName': name });
    expect(tags).not.toHaveProperty('owner');
  },
  'instances are described by id, and instances outside groups are omitted': async (world) => {
    const { name, settle } = await openGroup(world, { DesiredCapacity: 1 });
    const id = (await settle()).Instances?.[0]?.InstanceId ?? '';
    const { AutoScalingInstances = [] } = await world.client.send(
      new DescribeAutoScalingInstancesCommand({ InstanceIds: [unknown, id], MaxRecords: 50 }),
    );
    expect(AutoScalingInstances).toMatchObject([
      { InstanceId: id, AutoScalingGroupName: name, LifecycleState: 'InService' },
    ]);
  },
  'a missing group is omitted': async (world) => {
    const { name } = await openGroup(world);
    const AutoScalingGroupNames = [newName(), name];
    const { AutoScalingGroups } = await world.client.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames }),
    );
    expect(AutoScalingGroups?.map(({ AutoScalingGroupName }) => AutoScalingGroupName)).toEqual([name]);
  },
  'the name of a group is unique': async (world) => {
    const { name } = await openGroup(world);
    await expect(openGroup(world, { AutoScalingGroupName: name })).rejects.toMatchObject({
      name: 'AlreadyExistsFault',
    });
  },
  'a group needs a launch template': async (world) => {
    await expect(openGroup(world, { LaunchTemplate: undefined })).rejects.toMatchObject(invalid);
  },
  'the launch template of a group must exist': async (world) => {
    const LaunchTemplate = { LaunchTemplateId: 'lt-0123456789abcdef0', Version: '$Latest' };
    await expect(openGroup(world, { LaunchTemplate })).rejects.toMatchObject(invalid);
  },
  'a group needs a zone or a subnet': async (world) => {
    await expect(openGroup(world, { VPCZoneIdentifier: undefined })).rejects.toMatchObject(invalid);
  },
  'an instance can be protected from scale-in, and shows it': async (world) => {
    const { name, settle, read } = await openGroup(world, { DesiredCapacity: 1 });
    const InstanceIds = (await settle()).Instances?.map(({ InstanceId = '' }) => InstanceId);
    await world.client.send(
      new SetInstanceProtectionCommand({
        AutoScalingGroupName: name,
        InstanceIds,
        ProtectedFromScaleIn: true,
      }),
    );
    expect((await read()).Instances?.[0]?.ProtectedFromScaleIn).toBe(true);
  },
  'processes can be suspended and resumed, all or by name': async (world) => {
    const { name, read } = await openGroup(world);
    const AutoScalingGroupName = name;
    const suspended = async () =>
      ((await read()).SuspendedProcesses ?? []).map(({ ProcessName }) => ProcessName);
    await world.client.send(
      new SuspendProcessesCommand({ AutoScalingGroupName, ScalingProcesses: ['Launch', 'AZRebalance'] }),
    );
    expect(new Set(await suspended())).toEqual(new Set(['Launch', 'AZRebalance']));
    await world.client.send(
      new ResumeProcessesCommand({ AutoScalingGroupName, ScalingProcesses: ['Launch'] }),
    );
    expect(await suspended()).toEqual(['AZRebalance']);
    await world.client.send(new ResumeProcessesCommand({ AutoScalingGroupName }));
    expect(await suspended()).toEqual([]);
  },
  'a group shows its warm pool': async (world) => {
    const { name, read } = await openGroup(world);
    expect((await read()).WarmPoolConfiguration).toBeUndefined();
    await world.client.send(
      new PutWarmPoolCommand({
        AutoScalingGroupName: name,
        MinSize: 0,
        // Without it the pool is as large as the group may be: https://github.com/hashicorp/terraform-provider-aws/issues/37173
        MaxGroupPreparedCapacity: 0,
        PoolState: 'Stopped',
      }),
    );
    expect((await read()).WarmPoolConfiguration).toMatchObject({ MinSize: 0, PoolState: 'Stopped' });
  },
  'a group with instances can be deleted only with ForceDelete': async (world) => {
    const { name, settle } = await openGroup(world, { MinSize: 1, DesiredCapacity: 1 });
    await settle();
    const remove = (ForceDelete: boolean) =>
      world.client.send(new DeleteAutoScalingGroupCommand({ AutoScalingGroupName: name, ForceDelete }));
    await expect(remove(false)).rejects.toMatchObject({ name: 'ResourceInUseFault' });
    await remove(true);
    await world.pass(120);
    await expect(groupOf(world, name)).rejects.toThrow('there is no group');
  },
};

/** EC2 Auto Scaling: what groups show, and what can be asked of them. No emulator has wait states: of these cases only an AWS account is a second witness. */
export const autoScalingCases: Cases<LoadBalancedWorld> = {
  ...autoScalingGroupCases,
  ...autoScalingTagCases,
  ...autoScalingCapacityCases,
  ...autoScalingHookCases,
  ...autoScalingWaitCases,
  ...autoScalingMaintenanceCases,
  ...autoScalingReplacementCases,
  ...autoScalingRefreshCases,
};

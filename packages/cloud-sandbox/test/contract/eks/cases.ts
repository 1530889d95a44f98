import { DescribeNodegroupCommand, UpdateNodegroupConfigCommand } from '@aws-sdk/client-eks';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { groupOf } from '../auto-scaling/world.ts';
import { newName } from '../support/new-name.ts';
import { type EksWorld, openNodegroup } from './world.ts';

const named = (name: string) => ({ name });

/** Managed node groups: the API reference of EKS, UpdateNodegroupConfig and NodegroupScalingConfig. */
export const eksCases: Cases<EksWorld> = {
  'a node group is an Auto Scaling group with tags of EKS': async (world) => {
    const { clusterName, nodegroupName, autoScalingGroupName, read } = await openNodegroup(world);
    expect(await read()).toMatchObject({
      status: 'ACTIVE',
      scalingConfig: { minSize: 1, maxSize: 4, desiredSize: 2 },
      health: { issues: [] },
    });
    const {
      MinSize,
      MaxSize,
      DesiredCapacity,
      Tags = [],
    } = await groupOf(world.autoScaling, autoScalingGroupName);
    expect([MinSize, MaxSize, DesiredCapacity]).toEqual([1, 4, 2]);
    expect(Object.fromEntries(Tags.map(({ Key = '', Value }) => [Key, Value]))).toMatchObject({
      'eks:cluster-name': clusterName,
      'eks:nodegroup-name': nodegroupName,
    });
  },
  'an update sets the sizes of a node group': async (world) => {
    const { update, settle } = await openNodegroup(world);
    const { update: begun } = await update({ minSize: 3, maxSize: 6, desiredSize: 3 });
    expect(begun?.type).toBe('ConfigUpdate');
    expect(await settle()).toMatchObject({
      status: 'ACTIVE',
      scalingConfig: { minSize: 3, maxSize: 6, desiredSize: 3 },
    });
  },
  'an update sets the sizes of the Auto Scaling group': async (world) => {
    const { update, settle, autoScalingGroupName } = await openNodegroup(world);
    await update({ minSize: 3, desiredSize: 3 });
    await settle();
    expect(await groupOf(world.autoScaling, autoScalingGroupName)).toMatchObject({
      MinSize: 3,
      MaxSize: 4,
      DesiredCapacity: 3,
    });
  },
  // "When updating a node group, you can specify any or none of the properties."
  'sizes that an update does not name stay as they are': async (world) => {
    const { update, settle } = await openNodegroup(world);
    await update({ maxSize: 5 });
    expect((await settle()).scalingConfig).toEqual({ minSize: 1, maxSize: 5, desiredSize: 2 });
  },
  // https://github.com/terraform-aws-modules/terraform-aws-eks/issues/3521
  'a minimum above the desired size is refused': async (world) => {
    const { update } = await openNodegroup(world);
    await expect(update({ minSize: 3 })).rejects.toMatchObject({
      ...named('InvalidParameterException'),
      message: "Minimum capacity 3 can't be greater than desired size 2",
    });
  },
  'an update is refused while another one runs': async (world) => {
    const { update } = await openNodegroup(world);
    await update({ maxSize: 5 });
    await expect(update({ maxSize: 6 })).rejects.toMatchObject(named('ResourceInUseException'));
  },
  'a missing cluster or node group is refused': async (world) => {
    const { clusterName, nodegroupName } = await openNodegroup(world);
    for (const names of [
      { clusterName, nodegroupName: newName() },
      { clusterName: newName(), nodegroupName },
    ])
      for (const command of [
        new DescribeNodegroupCommand(names),
        new UpdateNodegroupConfigCommand({ ...names, scalingConfig: { maxSize: 5 } }),
      ])
        await expect(world.client.send(command)).rejects.toMatchObject(named('ResourceNotFoundException'));
  },
};

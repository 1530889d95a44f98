import { openNodegroup } from '@drover/cloud-sandbox/test/contract/eks/world.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { eksClient } from '../../../shared/aws/clients.ts';
import { createGroups } from '../../../shared/aws/groups.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import type { AwsWorld } from './world.ts';

/** A node group from 1 to 4 nodes that has 2, and its Auto Scaling group as Drover reads it. */
async function open({ connection, autoScaling, ec2, imageId, pass }: AwsWorld) {
  const nodegroup = await openNodegroup({
    client: eksClient(connection),
    autoScaling: { client: autoScaling, ec2, imageId: await imageId(), pass },
  });
  const { clusterName, nodegroupName, autoScalingGroupName } = nodegroup;
  const group: AutoScalingGroup = {
    autoScalingGroupName,
    tags: { 'eks:cluster-name': clusterName, 'eks:nodegroup-name': nodegroupName },
    minSize: 1,
    maxSize: 4,
    desiredCapacity: 2,
    instances: [],
    targetGroupArns: [],
    retainsAbandoned: false,
  };
  return { ...nodegroup, group, groups: createGroups({ connection, clusterName: 'none' }) };
}

/** What Drover asks of EKS, and what it makes of the answers. */
export const eksCases: Cases<AwsWorld> = {
  'Drover raises the minimum of a node group, and its desired size with it': async (world) => {
    const { groups, group, settle } = await open(world);
    await groups.setBounds(group, { minSize: 3 });
    expect((await settle()).scalingConfig).toEqual({ minSize: 3, maxSize: 4, desiredSize: 3 });
  },
  'Drover lowers the minimum of a node group, and leaves its desired size alone': async (world) => {
    const { groups, group, settle } = await open(world);
    await groups.setBounds(group, { minSize: 0 });
    expect((await settle()).scalingConfig).toEqual({ minSize: 0, maxSize: 4, desiredSize: 2 });
  },
  'Drover sets the desired size of a node group': async (world) => {
    const { groups, group, settle } = await open(world);
    await groups.setCapacity(group, { desiredCapacity: 4 });
    expect((await settle()).scalingConfig).toEqual({ minSize: 1, maxSize: 4, desiredSize: 4 });
  },
  'Drover sets the desired size of a node group above its maximum, and raises that in one update': async (
    world,
  ) => {
    const { groups, group, settle } = await open(world);
    await groups.setCapacity(group, { desiredCapacity: 6, maxSize: 6 });
    expect((await settle()).scalingConfig).toEqual({ minSize: 1, maxSize: 6, desiredSize: 6 });
  },
  'Drover reads what EKS reports about a node group': async (world) => {
    const { groups, group, clusterName, nodegroupName } = await open(world);
    expect(await groups.readNodegroup(group)).toEqual({
      eksClusterName: clusterName,
      nodegroupName,
      status: 'ACTIVE',
      healthIssues: [],
    });
    const gone = { ...group, tags: { ...group.tags, 'eks:nodegroup-name': 'gone' } };
    await expect(groups.readNodegroup(gone)).rejects.toMatchObject({ code: 'gone' });
  },
};

import { AwsError } from '@drover/cloud-sandbox/aws';
import { createGroup } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createScaleApiWorld, workerTags } from './scale-api-world.ts';

let world: ReturnType<typeof createScaleApiWorld>;

beforeEach(() => {
  world = createScaleApiWorld();
  const Tags = [
    ...workerTags(),
    { Key: 'eks:cluster-name', Value: 'prod' },
    { Key: 'eks:nodegroup-name', Value: 'blue' },
  ];
  createGroup(world.cloud, { AutoScalingGroupName: 'eks-blue', MaxSize: 5, Tags });
});

const refuse = (operation: string, code: string) =>
  world.faults.push((call) =>
    call.operation === operation ? new AwsError({ code, message: 'arn:secret' }) : undefined,
  );

describe('a managed node group of EKS', () => {
  it('is shown with the reason if EKS cannot be read', async () => {
    refuse('DescribeNodegroup', 'AccessDeniedException');
    expect(await world.send('GET', '/groups/eks-blue')).toMatchObject({
      status: 200,
      body: {
        autoScalingGroupName: 'eks-blue',
        nodegroup: {
          eksClusterName: 'prod',
          nodegroupName: 'blue',
          status: 'UNKNOWN',
          healthIssues: [],
          reason: expect.stringContaining('the parameter eksCluster'),
        },
      },
    });
  });

  it('is busy while EKS updates it', async () => {
    refuse('UpdateNodegroupConfig', 'ResourceInUseException');
    const body = JSON.stringify({ desiredCapacity: 2 });
    expect(await world.send('PUT', '/groups/eks-blue/capacity', { body })).toMatchObject({
      status: 409,
      body: {
        type: 'https://drover.dev/problems/group-busy',
        detail: 'EKS is in the middle of something with this group; ask again later',
      },
    });
  });
});

describe('a dry run of a change of capacity answers as the change, while', () => {
  const resize = async (group: string, query = '') => {
    const { status, body } = await world.send('PUT', `/groups/${group}/capacity${query}`, {
      body: JSON.stringify({ desiredCapacity: 3 }),
    });
    return { status, type: body['type'], detail: body['detail'] };
  };
  const busy = { status: 409, type: 'https://drover.dev/problems/group-busy' };

  it('EKS updates the node group', async () => {
    const { eks, cloud } = world;
    const { LaunchTemplate, VPCZoneIdentifier = '' } = world.group();
    eks.operations.CreateCluster({ name: 'drover', roleArn: undefined, resourcesVpcConfig: undefined });
    const { nodegroup } = eks.operations.CreateNodegroup({
      clusterName: 'drover',
      nodegroupName: 'green',
      nodeRole: undefined,
      subnets: VPCZoneIdentifier.split(','),
      launchTemplate: { id: LaunchTemplate?.LaunchTemplateId ?? '' },
      scalingConfig: { minSize: 1, maxSize: 4, desiredSize: 1 },
    });
    const name = nodegroup.resources.autoScalingGroups[0]?.name ?? '';
    cloud.autoScaling.operations.CreateOrUpdateTags({
      Tags: workerTags().map((tag) => ({ ...tag, ResourceId: name, ResourceType: 'auto-scaling-group' })),
    });
    expect(await resize(name, '?dryRun=true')).toMatchObject({ status: 200 });
    expect(await resize(name)).toMatchObject({ status: 202 });
    const dry = await resize(name, '?dryRun=true');
    expect(dry).toMatchObject(busy);
    expect(await resize(name)).toEqual(dry);
  });

  it('Auto Scaling deletes the group', async () => {
    const { AutoScalingGroupName } = world.group();
    world.cloud.autoScaling.operations.DeleteAutoScalingGroup({ AutoScalingGroupName, ForceDelete: true });
    const dry = await resize('workers', '?dryRun=true');
    expect(dry).toMatchObject(busy);
    expect(await resize('workers')).toEqual(dry);
  });

  it('EKS denies, or does not know the node group', async () => {
    for (const code of ['AccessDeniedException', 'ResourceNotFoundException']) {
      refuse('DescribeNodegroup', code);
      refuse('UpdateNodegroupConfig', code);
      const dry = await resize('eks-blue', '?dryRun=true');
      expect(dry.status).toBeGreaterThanOrEqual(400);
      expect(await resize('eks-blue')).toEqual(dry);
      world.faults.length = 0;
    }
  });
});

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

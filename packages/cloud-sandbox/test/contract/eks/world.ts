import {
  CreateClusterCommand,
  CreateNodegroupCommand,
  DescribeNodegroupCommand,
  type EKSClient,
  type NodegroupScalingConfig,
  UpdateNodegroupConfigCommand,
} from '@aws-sdk/client-eks';
import { type AutoScalingWorld, openTemplate } from '../auto-scaling/world.ts';
import { newName } from '../support/new-name.ts';

/** One EKS with the Auto Scaling of its node groups, simulated or not, by clients of the SDK. */
export interface EksWorld {
  readonly client: EKSClient;
  readonly autoScaling: AutoScalingWorld;
}

/** A new cluster with a node group from 1 to 4 nodes, which has 2. */
export async function openNodegroup({ client, autoScaling }: EksWorld) {
  const template = await openTemplate(autoScaling);
  const [clusterName, nodegroupName] = [newName(), newName()];
  const subnets = template.subnetIds.split(',');
  const roleArn = 'arn:aws:iam::123456789012:role/nodes';
  await client.send(
    new CreateClusterCommand({ name: clusterName, roleArn, resourcesVpcConfig: { subnetIds: subnets } }),
  );
  const names = { clusterName, nodegroupName };
  await client.send(
    new CreateNodegroupCommand({
      ...names,
      subnets,
      nodeRole: roleArn,
      launchTemplate: { id: template.id, version: '1' },
      scalingConfig: { minSize: 1, maxSize: 4, desiredSize: 2 },
    }),
  );
  const read = async () => {
    const { nodegroup } = await client.send(new DescribeNodegroupCommand(names));
    if (!nodegroup) throw new Error(`there is no node group ${nodegroupName}`);
    return nodegroup;
  };
  return {
    ...names,
    read,
    autoScalingGroupName: (await read()).resources?.autoScalingGroups?.[0]?.name ?? '',
    update: (scalingConfig: NodegroupScalingConfig) =>
      client.send(new UpdateNodegroupConfigCommand({ ...names, scalingConfig })),
    settle: async () => {
      for (let second = 0; second < 120 && (await read()).status === 'UPDATING'; second += 1)
        await autoScaling.pass(1);
      return await read();
    },
  };
}

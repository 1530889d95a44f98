import {
  type AutoScalingClient,
  type AutoScalingGroup,
  CreateAutoScalingGroupCommand,
  type CreateAutoScalingGroupType,
  DescribeAutoScalingGroupsCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  type _InstanceType,
  CreateLaunchTemplateCommand,
  DescribeSubnetsCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import type { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { newName } from '../support/new-name.ts';

/** One EC2 Auto Scaling with the EC2 of its instances, simulated or not, with clients of the SDK. */
export interface AutoScalingWorld {
  readonly client: AutoScalingClient;
  readonly ec2: EC2Client;
  /** An image that can be launched. */
  readonly imageId: string;
  /** Defaults to m5.large. */
  readonly instanceType?: _InstanceType;
  /** Where groups are. Defaults to any VPC. */
  readonly vpcId?: string;
  /** Lets seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
}

/** With Elastic Load Balancing, whose target groups a group may name. */
export interface LoadBalancedWorld extends AutoScalingWorld {
  readonly elb: ElasticLoadBalancingV2Client;
}

/** The type of the instances that cases launch. */
export const typeIn = ({ instanceType = 'm5.large' }: AutoScalingWorld): _InstanceType => instanceType;

/** A launch template of workers, and the subnets that they may run in. */
export async function openTemplate(world: AutoScalingWorld) {
  const { ec2, imageId, vpcId } = world;
  const LaunchTemplateName = newName();
  const LaunchTemplateData = { ImageId: imageId, InstanceType: typeIn(world) };
  const created = await ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName, LaunchTemplateData }));
  const inVpc = { Filters: [{ Name: 'vpc-id', Values: [vpcId ?? ''] }] };
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand(vpcId === undefined ? {} : inVpc));
  const subnets = Subnets.slice(0, 2);
  const id = created.LaunchTemplate?.LaunchTemplateId ?? '';
  return {
    id,
    name: LaunchTemplateName,
    subnets,
    subnetIds: subnets.map(({ SubnetId }) => SubnetId).join(','),
  };
}

/** A new group. By default it has no instances and may have ten. */
export async function openGroup(world: AutoScalingWorld, settings: Partial<CreateAutoScalingGroupType> = {}) {
  const template = await openTemplate(world);
  const name = newName();
  await world.client.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName: name,
      MinSize: 0,
      MaxSize: 10,
      DesiredCapacity: 0,
      LaunchTemplate: { LaunchTemplateId: template.id, Version: '$Latest' },
      VPCZoneIdentifier: template.subnetIds,
      ...settings,
    }),
  );
  const read = () => groupOf(world, name);
  const settle = async (): Promise<AutoScalingGroup> => {
    for (let second = 0; second < 120 && !isSettled(await read()); second += 1) await world.pass(1);
    return await read();
  };
  return { name, template, read, settle };
}

const isSettled = ({ DesiredCapacity, Instances = [] }: AutoScalingGroup): boolean =>
  Instances.length === DesiredCapacity &&
  Instances.every(({ LifecycleState }) => LifecycleState === 'InService');

export async function groupOf({ client }: AutoScalingWorld, name: string): Promise<AutoScalingGroup> {
  const command = new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [name] });
  const [group] = (await client.send(command)).AutoScalingGroups ?? [];
  if (!group) throw new Error(`there is no group ${name}`);
  return group;
}

/** A tag of a group. By default it is not propagated to instances. */
export const tag = (Key: string, Value: string, PropagateAtLaunch = false) => ({
  Key,
  Value,
  PropagateAtLaunch,
});

export const inOrder = (values: readonly (string | undefined)[] = []): string[] =>
  values.map((value) => value ?? '').toSorted((one, other) => (one < other ? -1 : 1));

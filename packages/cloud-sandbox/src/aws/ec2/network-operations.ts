import type {
  DescribeImagesRequest,
  DescribeSecurityGroupsRequest,
  DescribeSubnetsRequest,
  DescribeVolumesRequest,
  DescribeVpcsRequest,
  Volume,
} from '@aws-sdk/client-ec2';
import { ec2Errors } from './errors.ts';
import { type FilterFields, keep, tagFields } from './filters.ts';
import { visibleInstances } from './lifecycle.ts';
import type { Ec2World, SimulatedInstance } from './model.ts';
import type { Subnet, Vpc } from './network.ts';

const subnetFields: FilterFields<Subnet> = {
  ...tagFields,
  'subnet-id': (subnet) => [subnet.subnetId],
  'vpc-id': (subnet) => [subnet.vpcId],
  'availability-zone': (subnet) => [subnet.availabilityZone],
};

const vpcFields: FilterFields<Vpc> = {
  ...tagFields,
  'vpc-id': ({ vpcId }) => [vpcId],
  cidr: ({ cidrBlock }) => [cidrBlock],
};

const volumeFields: FilterFields<SimulatedInstance> = {
  ...tagFields,
  'volume-id': (instance) => [instance.volumeId],
  'attachment.instance-id': (instance) => [instance.instanceId],
};

/** What surrounds instances: VPCs with three subnets and a security group each, one image, a root volume for each instance. */
export const networkOperations = (world: Ec2World) => ({
  DescribeSubnets: (input: DescribeSubnetsRequest) => {
    const asked =
      input.SubnetIds?.map((id) => world.network.subnet(id)) ??
      world.network.vpcs.flatMap(({ subnets }) => subnets);
    return { Subnets: keep(asked, input.Filters, subnetFields).map((subnet) => toSubnet(world, subnet)) };
  },
  DescribeVpcs: (input: DescribeVpcsRequest) => {
    const asked = input.VpcIds?.map((id) => vpcOf(world, id)) ?? world.network.vpcs;
    return { Vpcs: keep(asked, input.Filters, vpcFields).map((vpc) => toVpc(world, vpc)) };
  },
  DescribeSecurityGroups: (_input: DescribeSecurityGroupsRequest) => ({
    SecurityGroups: world.network.vpcs.map(({ vpcId, securityGroupId }) => ({
      GroupId: securityGroupId,
      GroupName: 'default',
      Description: 'default VPC security group',
      VpcId: vpcId,
      OwnerId: world.accountId,
    })),
  }),
  DescribeAvailabilityZones: () => ({
    AvailabilityZones: world.network.subnets.map(({ availabilityZone, availabilityZoneId }) => ({
      ZoneName: availabilityZone,
      ZoneId: availabilityZoneId,
      RegionName: world.region,
      State: 'available',
      ZoneType: 'availability-zone',
    })),
  }),
  DescribeRegions: () => ({
    Regions: [
      {
        RegionName: world.region,
        Endpoint: `ec2.${world.region}.amazonaws.com`,
        OptInStatus: 'opt-in-not-required',
      },
    ],
  }),
  DescribeImages: (input: DescribeImagesRequest) => ({
    Images: (input.ImageIds ?? ['ami-0d10ce00000000000']).map((ImageId) => ({
      ImageId,
      Name: 'sandbox-node',
      State: 'available',
      Architecture: 'x86_64',
      RootDeviceType: 'ebs',
      VirtualizationType: 'hvm',
      OwnerId: world.accountId,
    })),
  }),
  DescribeVolumes: (input: DescribeVolumesRequest) => {
    const attached = visibleInstances(world).filter(({ state }) => state !== 'terminated');
    const asked = attached.filter(({ volumeId }) => input.VolumeIds?.includes(volumeId) ?? true);
    return { Volumes: keep(asked, input.Filters, volumeFields).map(toVolume) };
  },
});

export function vpcOf({ network }: Ec2World, vpcId: string): Vpc {
  const vpc = network.vpcs.find((one) => one.vpcId === vpcId);
  if (vpc === undefined) throw ec2Errors.vpcNotFound(vpcId);
  return vpc;
}

export const toVpc = ({ accountId }: Ec2World, { vpcId, cidrBlock, tags }: Vpc) => ({
  VpcId: vpcId,
  CidrBlock: cidrBlock,
  State: 'available' as const,
  OwnerId: accountId,
  Tags: toTags(tags),
});

const toTags = (tags: ReadonlyMap<string, string>) => [...tags].map(([Key, Value]) => ({ Key, Value }));

export function toSubnet(world: Ec2World, subnet: Subnet) {
  return {
    SubnetId: subnet.subnetId,
    VpcId: subnet.vpcId,
    CidrBlock: subnet.cidrBlock,
    AvailabilityZone: subnet.availabilityZone,
    AvailabilityZoneId: subnet.availabilityZoneId,
    State: 'available' as const,
    OwnerId: world.accountId,
    DefaultForAz: subnet.vpcId === world.network.vpcId,
    Tags: toTags(subnet.tags),
    SubnetArn: `arn:aws:ec2:${world.region}:${world.accountId}:subnet/${subnet.subnetId}`,
  };
}

function toVolume(instance: SimulatedInstance): Volume {
  return {
    VolumeId: instance.volumeId,
    AvailabilityZone: instance.subnet.availabilityZone,
    State: 'in-use',
    VolumeType: 'gp3',
    Size: 20,
    CreateTime: new Date(instance.firstLaunchedAt),
    Attachments: [
      {
        InstanceId: instance.instanceId,
        VolumeId: instance.volumeId,
        Device: '/dev/xvda',
        State: 'attached',
        DeleteOnTermination: true,
      },
    ],
  };
}

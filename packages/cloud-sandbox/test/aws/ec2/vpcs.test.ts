import type { CreateSubnetRequest } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { createCloud } from '../support/cloud.ts';

const Tags = [{ Key: 'owner', Value: 'me' }];
const mine = { Filters: [{ Name: 'tag:owner', Values: ['me'] }] };

function opened() {
  const cloud = createCloud();
  const { operations } = cloud.ec2;
  const vpc = operations.CreateVpc({
    CidrBlock: '10.255.0.0/16',
    TagSpecifications: [{ ResourceType: 'vpc', Tags }],
  });
  const VpcId = vpc.Vpc.VpcId;
  const subnet = (CidrBlock: string, more: Partial<CreateSubnetRequest> = {}) =>
    operations.CreateSubnet({ CidrBlock, VpcId, ...more }).Subnet.SubnetId;
  return { cloud, operations, VpcId, subnet };
}

test('a VPC and its subnets are found by their tags, and are gone once they are deleted', () => {
  const { operations, VpcId, subnet } = opened();
  const SubnetId = subnet('10.255.1.0/24', {
    AvailabilityZone: 'eu-west-1b',
    TagSpecifications: [{ ResourceType: 'subnet', Tags }],
  });
  expect(operations.DescribeVpcs(mine).Vpcs).toMatchObject([{ VpcId, CidrBlock: '10.255.0.0/16', Tags }]);
  expect(operations.DescribeSubnets(mine).Subnets).toMatchObject([
    { SubnetId, AvailabilityZone: 'eu-west-1b', Tags },
  ]);
  expect(() => operations.DeleteVpc({ VpcId })).toThrow(/has dependencies/);
  operations.DeleteSubnet({ SubnetId });
  operations.DeleteVpc({ VpcId });
  expect(operations.DescribeVpcs(mine).Vpcs).toEqual([]);
  expect(() => operations.DeleteSubnet({ SubnetId })).toThrow(/does not exist/);
  expect(() => operations.DeleteVpc({ VpcId })).toThrow(/does not exist/);
  expect(operations.DescribeVpcs({}).Vpcs).toHaveLength(1);
});

test('a subnet is held by its instances until they have terminated', () => {
  const { cloud, operations, subnet } = opened();
  const SubnetId = subnet('10.255.1.0/28');
  const { Instances } = operations.RunInstances({ MinCount: 1, MaxCount: 1, SubnetId });
  expect(Instances).toMatchObject([{ PrivateIpAddress: '10.255.1.4', SubnetId }]);
  expect(() => operations.DeleteSubnet({ SubnetId })).toThrow(/has dependencies/);
  operations.TerminateInstances({ InstanceIds: [Instances?.[0]?.InstanceId ?? ''] });
  cloud.advance(10);
  operations.DeleteSubnet({ SubnetId });
});

test('a subnet of 16 addresses has room for eleven instances', () => {
  const { operations, subnet } = opened();
  const SubnetId = subnet('10.255.1.0/28');
  const launch = (count: number) => operations.RunInstances({ MinCount: count, MaxCount: count, SubnetId });
  launch(11);
  expect(() => launch(1)).toThrow(/Not enough free addresses/);
});

test.each(['10.255.0.0/15', '10.255.0.0/29', '10.255.0.0', '10.300.0.0/16', '10.255.1.0/16'])(
  'a VPC of %s is refused',
  (CidrBlock) => {
    expect(() => createCloud().ec2.operations.CreateVpc({ CidrBlock })).toThrow(/is invalid/);
  },
);

test('a subnet outside its VPC, across another one or in an unknown zone is refused', () => {
  const { subnet } = opened();
  subnet('10.255.0.0/20');
  expect(() => subnet('10.254.0.0/24')).toThrow(/is invalid/);
  expect(() => subnet('10.255.8.0/24')).toThrow(/conflicts/);
  expect(() => subnet('10.255.16.0/24', { AvailabilityZone: 'eu-west-1z' })).toThrow(/eu-west-1z/);
});

test('tags of VPCs and subnets are changed and listed as those of instances are', () => {
  const { operations, VpcId, subnet } = opened();
  const SubnetId = subnet('10.255.1.0/24');
  operations.CreateTags({ Resources: [VpcId, SubnetId], Tags: [{ Key: 'a', Value: 'b' }] });
  operations.DeleteTags({ Resources: [VpcId], Tags: [{ Key: 'owner' }] });
  const { Tags: rows } = operations.DescribeTags({
    Filters: [{ Name: 'resource-type', Values: ['vpc', 'subnet'] }],
  });
  expect(rows).toEqual([
    { ResourceId: VpcId, ResourceType: 'vpc', Key: 'a', Value: 'b' },
    { ResourceId: SubnetId, ResourceType: 'subnet', Key: 'a', Value: 'b' },
  ]);
});

test('a subnet of the first VPC can be deleted too', () => {
  const { operations } = opened();
  operations.DeleteSubnet({ SubnetId: operations.DescribeSubnets({}).Subnets[0]?.SubnetId });
  expect(operations.DescribeSubnets({}).Subnets).toHaveLength(2);
});

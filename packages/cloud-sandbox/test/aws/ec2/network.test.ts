import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNetwork } from '../../../src/aws/ec2/network.ts';
import { createCloud } from '../support/cloud.ts';

test.each([
  ['eu-west-1', 'euw1-az1'],
  ['us-east-1', 'use1-az1'],
  ['ap-southeast-2', 'apse2-az1'],
  ['eu-central-1', 'euc1-az1'],
])('the zones of %s have ids like %s', (region, expected) => {
  expect(createNetwork(region).subnets[0]?.availabilityZoneId).toBe(expected);
});

test('two instances never have the same address at the same time', () => {
  const network = createNetwork('eu-west-1');
  const [subnet] = network.subnets;
  if (subnet === undefined) throw new Error('no subnet');
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 300 }), (takes) => {
      const held: string[] = [];
      for (const take of takes) {
        if (take) held.push(network.takeAddress(subnet));
        else for (const address of held.splice(0, 1)) network.giveBackAddress(subnet, address);
      }
      expect(new Set(held).size).toBe(held.length);
      for (const address of held) network.giveBackAddress(subnet, address);
    }),
  );
});

test('addresses are reused only after all have been used, the oldest first', () => {
  const network = createNetwork('eu-west-1');
  const [subnet] = network.subnets;
  if (subnet === undefined) throw new Error('no subnet');
  const first = network.takeAddress(subnet);
  network.giveBackAddress(subnet, first);
  const others = Array.from({ length: 8186 }, () => network.takeAddress(subnet));
  expect(others).not.toContain(first);
  expect(network.takeAddress(subnet)).toBe(first);
  expect(() => network.takeAddress(subnet)).toThrow(/free addresses/);
});

test('addresses come back at once if they are to be reused, the last first, and none is used twice', () => {
  const network = createNetwork('eu-west-1');
  const [subnet] = network.subnets;
  if (subnet === undefined) throw new Error('no subnet');
  const [one, other] = [network.takeAddress(subnet), network.takeAddress(subnet)];
  network.reuseAddresses();
  network.giveBackAddress(subnet, one);
  network.giveBackAddress(subnet, other);
  expect([network.takeAddress(subnet), network.takeAddress(subnet)]).toEqual([other, one]);
  const third = network.takeAddress(subnet);
  expect([one, other]).not.toContain(third);
  expect(() => network.takeAddress(subnet, third)).toThrow(/in use/);
  network.giveBackAddress(subnet, third);
  expect(network.takeAddress(subnet, third)).toBe(third);
});

test('the volume, status, image and network of an instance are described', () => {
  const cloud = createCloud();
  const { operations } = cloud.ec2;
  const { Instances } = operations.RunInstances({ MinCount: 1, MaxCount: 1 });
  const InstanceId = Instances?.[0]?.InstanceId ?? '';
  expect(operations.DescribeInstanceStatus({}).InstanceStatuses).toEqual([]);
  cloud.advance(15);
  expect(operations.DescribeInstanceStatus({ InstanceIds: [InstanceId] }).InstanceStatuses).toMatchObject([
    { InstanceId, InstanceStatus: { Status: 'ok' } },
  ]);
  const byInstance = [{ Name: 'attachment.instance-id', Values: [InstanceId] }];
  const { Volumes } = operations.DescribeVolumes({ Filters: byInstance });
  expect(Volumes).toMatchObject([{ State: 'in-use', Attachments: [{ InstanceId, State: 'attached' }] }]);
  const inZone = [{ Name: 'availability-zone', Values: ['eu-west-1b'] }];
  expect(operations.DescribeSubnets({ Filters: inZone }).Subnets).toMatchObject([
    { CidrBlock: '10.0.32.0/19' },
  ]);
  expect(operations.DescribeVpcs({}).Vpcs).toHaveLength(1);
  expect(operations.DescribeSecurityGroups({}).SecurityGroups).toHaveLength(1);
  expect(operations.DescribeRegions().Regions).toMatchObject([{ RegionName: 'eu-west-1' }]);
  expect(operations.DescribeImages({ ImageIds: ['ami-1'] }).Images).toMatchObject([{ ImageId: 'ami-1' }]);
  cloud.ec2.accidents.kill(InstanceId);
  cloud.advance(10);
  expect(operations.DescribeVolumes({ Filters: byInstance }).Volumes).toEqual([]);
});

test('a launch template can be found by its id, its name and its tags', () => {
  const { operations } = createCloud().ec2;
  const { LaunchTemplate } = operations.CreateLaunchTemplate({
    LaunchTemplateName: 'etcd',
    LaunchTemplateData: { InstanceType: 'm5.large' },
    TagSpecifications: [{ ResourceType: 'launch-template', Tags: [{ Key: 'role', Value: 'etcd' }] }],
  });
  const id = LaunchTemplate.LaunchTemplateId ?? '';
  const namesOf = (input: object) =>
    operations
      .DescribeLaunchTemplates(input)
      .LaunchTemplates.map(({ LaunchTemplateName }) => LaunchTemplateName);
  expect(namesOf({ LaunchTemplateIds: [id] })).toEqual(['etcd']);
  expect(namesOf({ Filters: [{ Name: 'tag:role', Values: ['etcd'] }] })).toEqual(['etcd']);
  operations.CreateTags({ Resources: [id], Tags: [{ Key: 'role', Value: 'none' }] });
  expect(namesOf({ Filters: [{ Name: 'tag:role', Values: ['etcd'] }] })).toEqual([]);
  expect(() => operations.DescribeLaunchTemplates({ LaunchTemplateIds: ['lt-1'] })).toThrow(/lt-1/);
  expect(() => operations.CreateTags({ Resources: ['vol-1'], Tags: [] })).toThrow(/vol-1/);
  expect(() => operations.CreateLaunchTemplate({ LaunchTemplateName: 'x', LaunchTemplateData: {} })).toThrow(
    /3 to 128/,
  );
});

test('an instance has the interfaces of its launch template, and addresses that are assigned later', () => {
  const cloud = createCloud();
  const { operations, instances } = cloud.ec2;
  operations.CreateLaunchTemplate({
    LaunchTemplateName: 'two-interfaces',
    LaunchTemplateData: {
      NetworkInterfaces: [
        { DeviceIndex: 0 },
        { DeviceIndex: 1, SubnetId: 'subnet-0bbbbbbbbbbbbbbbb', SecondaryPrivateIpAddressCount: 1 },
      ],
    },
  });
  const LaunchTemplate = { LaunchTemplateName: 'two-interfaces' };
  const { Instances } = operations.RunInstances({ MinCount: 1, MaxCount: 1, LaunchTemplate });
  const InstanceId = Instances?.[0]?.InstanceId ?? '';
  const Filters = [{ Name: 'attachment.instance-id', Values: [InstanceId] }];
  const addresses = () =>
    (operations.DescribeNetworkInterfaces({ Filters }).NetworkInterfaces ?? []).map(
      ({ PrivateIpAddresses = [] }) => PrivateIpAddresses.map(({ PrivateIpAddress }) => PrivateIpAddress),
    );
  expect(addresses()).toEqual([['10.0.0.4'], ['10.0.32.4', '10.0.32.5']]);
  const NetworkInterfaceId = instances.attachInterface(InstanceId);
  operations.AssignPrivateIpAddresses({ NetworkInterfaceId, SecondaryPrivateIpAddressCount: 2 });
  operations.UnassignPrivateIpAddresses({ NetworkInterfaceId, PrivateIpAddresses: ['10.0.0.6'] });
  expect(addresses()[2]).toEqual(['10.0.0.5', '10.0.0.7']);
  const shown = operations.DescribeInstances({ InstanceIds: [InstanceId] }).Reservations?.[0]?.Instances?.[0];
  expect(shown?.NetworkInterfaces?.map(({ Attachment }) => Attachment?.DeviceIndex)).toEqual([0, 1, 2]);
  const owner = [{ Name: 'addresses.private-ip-address', Values: ['10.0.32.5'] }];
  expect(operations.DescribeNetworkInterfaces({ Filters: owner }).NetworkInterfaces).toMatchObject([
    { Attachment: { InstanceId, DeviceIndex: 1 }, SubnetId: 'subnet-0bbbbbbbbbbbbbbbb' },
  ]);
  cloud.ec2.accidents.kill(InstanceId);
  cloud.advance(10);
  expect(addresses()).toEqual([]);
  const gone = { NetworkInterfaceIds: [NetworkInterfaceId] };
  expect(() => operations.DescribeNetworkInterfaces(gone)).toThrow(/does not exist/);
});

test('a second VPC has the same addresses by default, and others if asked', () => {
  const network = createNetwork('eu-west-1');
  const same = network.addVpc();
  const other = network.addVpc({ secondOctet: 7 });
  const first = [network, same, other].map(({ subnets: [subnet] }) => {
    if (subnet === undefined) throw new Error('no subnet');
    return [subnet.vpcId, network.takeAddress(subnet)];
  });
  expect(first).toEqual([
    ['vpc-0d10ce00000000000', '10.0.0.4'],
    ['vpc-0d10ce00000000001', '10.0.0.4'],
    ['vpc-0d10ce00000000002', '10.7.0.4'],
  ]);
});

test('EC2 describes every VPC with its subnets, and refuses an unknown one', () => {
  const { ec2 } = createCloud();
  const { vpcId } = ec2.instances.addVpc();
  expect(ec2.operations.DescribeVpcs({}).Vpcs.map(({ CidrBlock }) => CidrBlock)).toEqual([
    '10.0.0.0/16',
    '10.0.0.0/16',
  ]);
  const Filters = [{ Name: 'vpc-id', Values: [vpcId] }];
  expect(ec2.operations.DescribeSubnets({ Filters }).Subnets).toHaveLength(3);
  expect(ec2.operations.DescribeVpcs({ VpcIds: [vpcId] }).Vpcs).toHaveLength(1);
  expect(() => ec2.operations.DescribeVpcs({ VpcIds: ['vpc-0fffffffffffffff9'] })).toThrow(
    "The vpc ID 'vpc-0fffffffffffffff9' does not exist",
  );
});

import type {
  AssignPrivateIpAddressesRequest,
  AssignPrivateIpAddressesResult,
  DescribeNetworkInterfacesRequest,
  DescribeNetworkInterfacesResult,
  InstanceNetworkInterface,
  NetworkInterface,
  UnassignPrivateIpAddressesRequest,
} from '@aws-sdk/client-ec2';
import { page, pageSize } from '../paging.ts';
import { ec2Errors } from './errors.ts';
import { type FilterFields, keep } from './filters.ts';
import { type AttachedInterface, announce, attachedInterfaces, findInterface } from './interfaces.ts';
import type { Ec2World } from './model.ts';
import { dnsNameOfAddress } from './private-dns-name.ts';

const fields: FilterFields<AttachedInterface> = {
  'network-interface-id': ({ one }) => [one.id],
  'attachment.instance-id': ({ instance }) => [instance.instanceId],
  'attachment.device-index': ({ one }) => [String(one.deviceIndex)],
  'private-ip-address': ({ one }) => one.addresses.slice(0, 1),
  'addresses.private-ip-address': ({ one }) => one.addresses,
  'subnet-id': ({ one }) => [one.subnet.subnetId],
  'vpc-id': ({ one }) => [one.subnet.vpcId],
  status: () => ['in-use'],
  // Interfaces have no tags here.
  'tag-key': () => [],
};

/** Network interfaces of instances. The sandbox's interfaces are made at a launch and by `attachInterface`, and are always attached. */
export const interfaceOperations = (world: Ec2World) => ({
  DescribeNetworkInterfaces: (input: DescribeNetworkInterfacesRequest): DescribeNetworkInterfacesResult => {
    const { NetworkInterfaceIds: ids, MaxResults: maxResults } = input;
    if (maxResults !== undefined && (maxResults < 5 || maxResults > 1000))
      throw ec2Errors.invalidParameter(
        `Value ( ${maxResults} ) for parameter maxResults is invalid. Expecting a value between 5 and 1000.`,
      );
    const asked = ids?.map((id) => findInterface(world, id)) ?? attachedInterfaces(world);
    const { items, nextToken } = page(keep(asked, input.Filters, fields), {
      nextToken: input.NextToken,
      size: pageSize(maxResults, { default: 1000, maximum: 1000 }),
      invalidToken: ec2Errors.invalidNextToken,
    });
    return { NetworkInterfaces: items.map((item) => toInterface(world, item)), NextToken: nextToken };
  },
  /** As the VPC CNI asks for the addresses of pods. */
  AssignPrivateIpAddresses: (input: AssignPrivateIpAddressesRequest): AssignPrivateIpAddressesResult => {
    const { NetworkInterfaceId: id = '', SecondaryPrivateIpAddressCount: count = 0 } = input;
    const { instance, one } = findInterface(world, id);
    const added = Array.from({ length: count }, () => world.network.takeAddress(one.subnet));
    one.addresses.push(...added);
    announce(world, instance);
    return {
      NetworkInterfaceId: id,
      AssignedPrivateIpAddresses: added.map((PrivateIpAddress) => ({ PrivateIpAddress })),
    };
  },
  UnassignPrivateIpAddresses: (input: UnassignPrivateIpAddressesRequest) => {
    const { NetworkInterfaceId: id = '', PrivateIpAddresses: removed = [] } = input;
    const { instance, one } = findInterface(world, id);
    const [primary = '', ...secondary] = one.addresses;
    const foreign = removed.find((address) => !secondary.includes(address));
    if (foreign !== undefined)
      throw ec2Errors.invalidParameter(`[${foreign}] is not a secondary address of ${id}`);
    for (const address of removed) world.network.giveBackAddress(one.subnet, address);
    one.addresses.splice(
      0,
      one.addresses.length,
      primary,
      ...secondary.filter((address) => !removed.includes(address)),
    );
    announce(world, instance);
    return {};
  },
});

function addressesOf(world: Ec2World, { one }: AttachedInterface) {
  const [primary] = one.addresses;
  const PrivateDnsName = dnsNameOfAddress(world.region, primary ?? '');
  return {
    NetworkInterfaceId: one.id,
    OwnerId: world.accountId,
    PrivateDnsName,
    PrivateIpAddress: primary,
    PrivateIpAddresses: one.addresses.map((PrivateIpAddress, place) => ({
      Primary: place === 0,
      PrivateDnsName: dnsNameOfAddress(world.region, PrivateIpAddress),
      PrivateIpAddress,
    })),
    Ipv6Addresses: [],
    SourceDestCheck: true,
    SubnetId: one.subnet.subnetId,
    VpcId: one.subnet.vpcId,
  };
}

const attachmentOf = ({ instance, one }: AttachedInterface) => ({
  AttachmentId: `eni-attach-${one.id.slice('eni-'.length)}`,
  AttachTime: new Date(instance.firstLaunchedAt),
  DeleteOnTermination: true,
  DeviceIndex: one.deviceIndex,
  Status: 'attached' as const,
});

const groupsOf = ({ instance }: AttachedInterface) =>
  instance.securityGroupIds.map((GroupId) => ({ GroupId, GroupName: 'default' }));

function toInterface(world: Ec2World, attached: AttachedInterface): NetworkInterface {
  return {
    ...addressesOf(world, attached),
    Status: 'in-use',
    InterfaceType: 'interface',
    AvailabilityZone: attached.one.subnet.availabilityZone,
    Groups: groupsOf(attached),
    Attachment: { ...attachmentOf(attached), InstanceId: attached.instance.instanceId },
  };
}

/** As DescribeInstances shows it. */
export function toInstanceInterface(world: Ec2World, attached: AttachedInterface): InstanceNetworkInterface {
  return {
    ...addressesOf(world, attached),
    Status: 'in-use',
    InterfaceType: 'interface',
    Groups: groupsOf(attached),
    Attachment: attachmentOf(attached),
  };
}

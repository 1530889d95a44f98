import {
  DescribeInstancesCommand,
  type EC2Client,
  type Instance,
  type InstanceNetworkInterface,
} from '@aws-sdk/client-ec2';
import {
  canonicalAddress,
  type InstanceAddresses,
  type NamedInstance,
  type NamedInstances,
} from '../certificates/facts.ts';
import { toState } from './ec2.ts';
import { required } from './errors.ts';

/** "The maximum number of filter values specified in a single call is 200" (EC2 API reference). */
const valuesPerCall = 200;
const pageSize = 1000;

/** Instances by the names of their Nodes, read anew. */
export const createNamedInstances = (client: EC2Client): NamedInstances => ({
  find: async (nodeNames) => {
    const ids = nodeNames.filter((name) => name.startsWith('i-') && !name.includes('.'));
    const dnsNames = nodeNames.filter((name) => !ids.includes(name));
    const found = [
      ...(await describe(client, 'instance-id', ids)),
      ...(await describe(client, 'private-dns-name', dnsNames)),
    ];
    return [...new Map(found.map((instance) => [instance.instanceId, instance])).values()];
  },
  findByIds: (instanceIds) => describe(client, 'instance-id', instanceIds),
});

/** A filter, unlike a list of ids, leaves out what EC2 does not know. */
async function describe(
  client: EC2Client,
  filter: string,
  values: readonly string[],
): Promise<readonly NamedInstance[]> {
  const found: NamedInstance[] = [];
  for (let start = 0; start < values.length; start += valuesPerCall) {
    const Filters = [{ Name: filter, Values: values.slice(start, start + valuesPerCall) }];
    let NextToken: string | undefined;
    do {
      const page = await client.send(
        new DescribeInstancesCommand({ Filters, MaxResults: pageSize, ...(NextToken && { NextToken }) }),
      );
      const { $metadata } = page;
      for (const reservation of required(page.Reservations, { name: 'Reservations', $metadata }))
        for (const instance of required(reservation.Instances, { name: 'Instances', $metadata }))
          found.push(toNamedInstance(instance, reservation.OwnerId ?? ''));
      NextToken = page.NextToken || undefined;
    } while (NextToken);
  }
  return found;
}

function toNamedInstance(instance: Instance, accountId: string): NamedInstance {
  const instanceId = instance.InstanceId ?? '';
  const root = instance.BlockDeviceMappings?.find(({ DeviceName }) => DeviceName === instance.RootDeviceName);
  return {
    instanceId,
    state: toState(instance),
    nodeNames: present([instance.PrivateDnsName?.toLowerCase(), instanceId]),
    accountId,
    vpcId: instance.VpcId,
    instanceProfileArn: instance.IamInstanceProfile?.Arn,
    groupTag: instance.Tags?.find(({ Key }) => Key === 'aws:autoscaling:groupName')?.Value,
    launchedAt: instance.LaunchTime?.getTime(),
    rootVolumeAttachedAt: root?.Ebs?.AttachTime?.getTime(),
    addresses: addressesOf(instance.NetworkInterfaces ?? []),
  };
}

/** The first IPv6 address of an interface is its primary one: only later ones are given to pods. */
function addressesOf(interfaces: readonly InstanceNetworkInterface[]): InstanceAddresses {
  const ipv4 = interfaces.flatMap(({ PrivateIpAddresses = [] }) => PrivateIpAddresses);
  const ipv6 = interfaces.map(({ Ipv6Addresses = [] }) =>
    Ipv6Addresses.map(({ Ipv6Address }) => Ipv6Address),
  );
  const associations = ipv4.flatMap(({ Association }) => Association ?? []);
  return {
    dnsNames: present([...interfaces, ...ipv4].map(({ PrivateDnsName }) => PrivateDnsName?.toLowerCase())),
    primary: canonical([
      ...ipv4.filter(({ Primary }) => Primary).map(({ PrivateIpAddress }) => PrivateIpAddress),
      ...ipv6.map(([first]) => first),
    ]),
    secondary: canonical([
      ...ipv4.filter(({ Primary }) => !Primary).map(({ PrivateIpAddress }) => PrivateIpAddress),
      ...ipv6.flatMap(([, ...rest]) => rest),
    ]),
    publicDnsNames: present(associations.map(({ PublicDnsName }) => PublicDnsName?.toLowerCase())),
    public: canonical(associations.map(({ PublicIp }) => PublicIp)),
  };
}

/** EC2 sends an empty name for an instance that has none. */
const present = (texts: readonly (string | undefined)[]): readonly string[] =>
  texts.flatMap((text) => text || []);

const canonical = (texts: readonly (string | undefined)[]): readonly string[] =>
  texts.flatMap((text) => (text && canonicalAddress(text)) || []);

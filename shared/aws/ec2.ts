import {
  DescribeInstancesCommand,
  type EC2Client,
  GetConsoleOutputCommand,
  type Instance,
  type InstanceNetworkInterface,
} from '@aws-sdk/client-ec2';
import { batched } from '../base/batched.ts';
import { canonicalAddress, type InstanceAddresses } from '../certificates/facts.ts';
import type { NamedInstance, NamedInstances } from '../certificates/observe.ts';
import type { Ec2, Ec2Instance } from '../groups/ec2.ts';
import { hasCode, isInstanceNotFound, required } from './errors.ts';

const idsPerCall = 100;

/** EC2 over its API. Never asks with an empty list: that would return the whole region. */
export function createEc2(client: EC2Client): Ec2 {
  return { describeInstance: batched({ limit: idsPerCall, load: (ids) => describe(client, ids) }) };
}

/** One unknown id fails the whole call. Each half is then asked for by itself, until each unknown id has a call of its own. */
async function describe(client: EC2Client, ids: readonly string[]): Promise<Map<string, Ec2Instance>> {
  try {
    const { Reservations, $metadata } = await client.send(
      new DescribeInstancesCommand({ InstanceIds: [...ids] }),
    );
    const instances = required(Reservations, { name: 'Reservations', $metadata }).flatMap((reservation) =>
      required(reservation.Instances, { name: 'Instances', $metadata }),
    );
    return new Map(instances.map((instance) => [instance.InstanceId ?? '', toInstance(instance)]));
  } catch (error) {
    if (!isInstanceNotFound(error)) throw error;
    if (ids.length === 1) return new Map();
    const middle = Math.ceil(ids.length / 2);
    const halves = await Promise.all([
      describe(client, ids.slice(0, middle)),
      describe(client, ids.slice(middle)),
    ]);
    return new Map(halves.flatMap((half) => [...half]));
  }
}

const states = ['pending', 'running', 'shutting-down', 'stopped', 'stopping', 'terminated'] as const;

/** A state that EC2 may add some day says nothing yet, as `pending` does. */
const toState = ({ State }: Instance): Ec2Instance['state'] =>
  states.find((state) => state === State?.Name) ?? 'pending';

/** EC2 sends no tags for an instance that has none. */
const toInstance = (instance: Instance): Ec2Instance => ({
  instanceId: instance.InstanceId ?? '',
  state: toState(instance),
  privateDnsName: instance.PrivateDnsName || undefined,
  privateIpAddress: instance.PrivateIpAddress,
  ipv6Address: instance.Ipv6Address,
  availabilityZone: instance.Placement?.AvailabilityZone,
  instanceType: instance.InstanceType,
  lifecycle: instance.InstanceLifecycle,
  launchedAt: instance.LaunchTime?.getTime(),
  tags: Object.fromEntries((instance.Tags ?? []).map(({ Key, Value }) => [Key ?? '', Value ?? ''])),
});

/**
 * What an instance has written to its serial console, at most 64 KB. Empty until EC2 has it. Only Nitro instances have the latest output;
 * of others EC2 keeps the output of the minutes after the last boot.
 */
export async function readConsoleOutput(client: EC2Client, instanceId: string): Promise<string> {
  const ask = async (Latest: boolean) =>
    await client.send(new GetConsoleOutputCommand({ InstanceId: instanceId, ...(Latest && { Latest }) }));
  const { Output = '' } = await ask(true).catch((error: unknown) => {
    if (hasCode(error, 'UnsupportedOperation')) return ask(false);
    throw error;
  });
  return Buffer.from(Output, 'base64').toString('utf8');
}

/** "The maximum number of filter values specified in a single call is 200" (EC2 API reference). */
const valuesPerCall = 200;
const pageSize = 1000;

/** Finds instances by the names of their Nodes. It keeps no answer. */
export const createNamedInstances = (client: EC2Client): NamedInstances => ({
  find: async (nodeNames) => {
    const ids = nodeNames.filter((name) => name.startsWith('i-') && !name.includes('.'));
    const dnsNames = nodeNames.filter((name) => !ids.includes(name));
    const found = [
      ...(await describeBy(client, 'instance-id', ids)),
      ...(await describeBy(client, 'private-dns-name', dnsNames)),
    ];
    return [...new Map(found.map((instance) => [instance.instanceId, instance])).values()];
  },
  findByIds: (instanceIds) => describeBy(client, 'instance-id', instanceIds),
});

/** A filter, unlike a list of ids, leaves out what EC2 does not know. */
async function describeBy(
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

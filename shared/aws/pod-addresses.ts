import { DescribeInstanceTypesCommand, type EC2Client, type InstanceTypeInfo } from '@aws-sdk/client-ec2';

/** How many addresses an instance of a type can give to pods. */
export interface PodAddresses {
  readonly instanceType: string;
  readonly interfaces: number;
  readonly ipv4AddressesPerInterface: number;
  readonly cpus: number;
  /** EC2 assigns prefixes only to these types: the ones on Nitro, and bare metal. */
  readonly takesPrefixes: boolean;
}

/** @throws InvalidInstanceType of EC2, with the names that do not exist. */
export async function describePodAddresses(
  client: EC2Client,
  types: readonly string[],
): Promise<readonly PodAddresses[]> {
  const found: InstanceTypeInfo[] = [];
  let NextToken: string | undefined;
  do {
    const InstanceTypes = [...types] as NonNullable<InstanceTypeInfo['InstanceType']>[];
    const answer = await client.send(new DescribeInstanceTypesCommand({ InstanceTypes, NextToken }));
    found.push(...(answer.InstanceTypes ?? []));
    ({ NextToken } = answer);
  } while (NextToken !== undefined);
  return found.map(podAddresses);
}

/** The VPC CNI uses the default network card. */
export function podAddresses(info: InstanceTypeInfo): PodAddresses {
  const { InstanceType = 't3.medium', NetworkInfo, VCpuInfo, Hypervisor, BareMetal } = info;
  const { DefaultNetworkCardIndex, NetworkCards, MaximumNetworkInterfaces = 0 } = NetworkInfo ?? {};
  const card = NetworkCards?.find(
    ({ NetworkCardIndex }) => NetworkCardIndex === (DefaultNetworkCardIndex ?? 0),
  );
  return {
    instanceType: InstanceType,
    interfaces: card?.MaximumNetworkInterfaces ?? MaximumNetworkInterfaces,
    ipv4AddressesPerInterface: NetworkInfo?.Ipv4AddressesPerInterface ?? 0,
    cpus: VCpuInfo?.DefaultVCpus ?? 0,
    takesPrefixes: Hypervisor === 'nitro' || BareMetal === true,
  };
}

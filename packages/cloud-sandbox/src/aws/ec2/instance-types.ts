import type {
  _InstanceType,
  DescribeInstanceTypesRequest,
  DescribeInstanceTypesResult,
  InstanceTypeInfo,
} from '@aws-sdk/client-ec2';
import { page, pageSize } from '../paging.ts';
import { ec2Errors } from './errors.ts';
import { type FilterFields, keep } from './filters.ts';
import { type InstanceTypeFigures, instanceTypeTable } from './instance-type-table.ts';

export const isInstanceType = (type: string): boolean => instanceTypeTable.has(type);

/** x86_64 for a type that the table does not have. */
export const architectureOf = (type: string): 'x86_64' | 'arm64' =>
  instanceTypeTable.get(type)?.architectures.includes('arm64') ? 'arm64' : 'x86_64';

const filterFields: FilterFields<InstanceTypeInfo> = {
  'bare-metal': (info) => [String(info.BareMetal)],
  'current-generation': (info) => [String(info.CurrentGeneration)],
  hypervisor: (info) => [info.Hypervisor],
  'instance-type': (info) => [info.InstanceType],
  'memory-info.size-in-mib': (info) => [String(info.MemoryInfo?.SizeInMiB)],
  'network-info.ipv4-addresses-per-interface': (info) => [
    String(info.NetworkInfo?.Ipv4AddressesPerInterface),
  ],
  'network-info.ipv6-addresses-per-interface': (info) => [
    String(info.NetworkInfo?.Ipv6AddressesPerInterface),
  ],
  'network-info.ipv6-supported': (info) => [String(info.NetworkInfo?.Ipv6Supported)],
  'network-info.maximum-network-cards': (info) => [String(info.NetworkInfo?.MaximumNetworkCards)],
  'network-info.maximum-network-interfaces': (info) => [String(info.NetworkInfo?.MaximumNetworkInterfaces)],
  'processor-info.supported-architecture': (info) => info.ProcessorInfo?.SupportedArchitectures ?? [],
  'supported-usage-class': (info) => info.SupportedUsageClasses ?? [],
  'vcpu-info.default-vcpus': (info) => [String(info.VCpuInfo?.DefaultVCpus)],
};

/** Throws InvalidInstanceType with every name that does not exist. */
export function describeInstanceTypes(input: DescribeInstanceTypesRequest): DescribeInstanceTypesResult {
  const asked: readonly string[] = input.InstanceTypes ?? [...instanceTypeTable.keys()];
  const unknown = asked.filter((type) => !isInstanceType(type));
  if (unknown.length > 0) throw ec2Errors.invalidInstanceType(unknown.join(', '));
  const all = asked.flatMap((type) => {
    const figures = instanceTypeTable.get(type);
    return figures === undefined ? [] : [describe(type, figures)];
  });
  const { items, nextToken } = page(keep(all, input.Filters, filterFields), {
    nextToken: input.NextToken,
    size: pageSize(input.MaxResults, { default: 100, maximum: 100 }),
    invalidToken: ec2Errors.invalidNextToken,
  });
  return { InstanceTypes: items, NextToken: nextToken };
}

function describe(type: string, figures: InstanceTypeFigures): InstanceTypeInfo {
  const { interfacesOfCards, ipv4AddressesPerInterface, ipv6AddressesPerInterface, gpus, neurons } = figures;
  return {
    InstanceType: type as _InstanceType,
    CurrentGeneration: figures.isCurrentGeneration,
    SupportedUsageClasses: [...figures.usageClasses],
    BareMetal: figures.hypervisor === undefined,
    Hypervisor: figures.hypervisor,
    ProcessorInfo: { SupportedArchitectures: [...figures.architectures] },
    VCpuInfo: { DefaultVCpus: figures.cpus },
    MemoryInfo: { SizeInMiB: figures.memoryMebibytes },
    ...(gpus.length > 0 && {
      GpuInfo: {
        Gpus: gpus.map(({ count, logicalCount, manufacturer, name }) => ({
          Count: count,
          LogicalGpuCount: logicalCount,
          Manufacturer: manufacturer,
          Name: name,
        })),
      },
    }),
    ...(neurons.length > 0 && {
      NeuronInfo: { NeuronDevices: neurons.map(({ count, name }) => ({ Count: count, Name: name })) },
    }),
    NetworkInfo: {
      MaximumNetworkInterfaces: interfacesOfCards.reduce((sum, interfaces) => sum + interfaces, 0),
      MaximumNetworkCards: interfacesOfCards.length,
      DefaultNetworkCardIndex: 0,
      NetworkCards: interfacesOfCards.map((MaximumNetworkInterfaces, NetworkCardIndex) => ({
        NetworkCardIndex,
        MaximumNetworkInterfaces,
      })),
      Ipv4AddressesPerInterface: ipv4AddressesPerInterface,
      Ipv6AddressesPerInterface: ipv6AddressesPerInterface,
      Ipv6Supported: ipv6AddressesPerInterface > 0,
    },
  };
}

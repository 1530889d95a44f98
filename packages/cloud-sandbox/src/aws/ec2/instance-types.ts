import type {
  _InstanceType,
  DescribeInstanceTypesRequest,
  DescribeInstanceTypesResult,
  InstanceTypeInfo,
} from '@aws-sdk/client-ec2';
import { page, pageSize } from '../paging.ts';
import { ec2Errors } from './errors.ts';
import { type FilterFields, keep } from './filters.ts';

interface Figures {
  readonly cpus: number;
  readonly memoryMebibytes: number;
  readonly networkInterfaces: number;
  readonly addressesPerInterface: number;
  readonly architecture: 'x86_64' | 'arm64';
}

type Row = readonly [
  type: string,
  cpus: number,
  memoryMebibytes: number,
  networkInterfaces: number,
  addressesPerInterface: number,
];

/** As DescribeInstanceTypes gives them on AWS. */
const x86Rows: readonly Row[] = [
  ['t3.small', 2, 2048, 3, 4],
  ['t3.medium', 2, 4096, 3, 6],
  ['t3.large', 2, 8192, 3, 12],
  ['t3.xlarge', 4, 16384, 4, 15],
  ['m5.large', 2, 8192, 3, 10],
  ['m5.xlarge', 4, 16384, 4, 15],
  ['m5.2xlarge', 8, 32768, 4, 15],
  ['m5.4xlarge', 16, 65536, 8, 30],
  ['m6i.large', 2, 8192, 3, 10],
  ['m6i.xlarge', 4, 16384, 4, 15],
  ['c5.large', 2, 4096, 3, 10],
  ['c5.xlarge', 4, 8192, 4, 15],
  ['c5.4xlarge', 16, 32768, 8, 30],
  ['r5.large', 2, 16384, 3, 10],
  ['r5.xlarge', 4, 32768, 4, 15],
];

const armRows: readonly Row[] = [
  ['t4g.medium', 2, 4096, 3, 6],
  ['t4g.large', 2, 8192, 3, 12],
  ['m6g.large', 2, 8192, 3, 10],
  ['m7g.large', 2, 8192, 3, 10],
  ['m7g.xlarge', 4, 16384, 4, 15],
];

/** The others have followers (DescribeInstanceTypes, as moto 5.2.5 keeps its answers). */
const currentFamilies: ReadonlySet<string> = new Set(['t3', 't4g', 'm6g', 'm7g']);

const entries = (rows: readonly Row[], architecture: Figures['architecture']): [string, Figures][] =>
  rows.map(([type, cpus, memoryMebibytes, networkInterfaces, addressesPerInterface]) => [
    type,
    { cpus, memoryMebibytes, networkInterfaces, addressesPerInterface, architecture },
  ]);

const catalogue: ReadonlyMap<string, Figures> = new Map([
  ...entries(x86Rows, 'x86_64'),
  ...entries(armRows, 'arm64'),
]);

export const isInstanceType = (type: string): boolean => catalogue.has(type);

/** x86_64 for a type that the catalogue does not know. */
export const architectureOf = (type: string): Figures['architecture'] =>
  catalogue.get(type)?.architecture ?? 'x86_64';

const filterFields: FilterFields<InstanceTypeInfo> = {
  'instance-type': (info) => [info.InstanceType],
  'vcpu-info.default-vcpus': (info) => [String(info.VCpuInfo?.DefaultVCpus)],
  'memory-info.size-in-mib': (info) => [String(info.MemoryInfo?.SizeInMiB)],
  'processor-info.supported-architecture': (info) => info.ProcessorInfo?.SupportedArchitectures ?? [],
  'current-generation': (info) => [String(info.CurrentGeneration)],
};

/** Throws InvalidInstanceType for a name that the catalogue does not have: some twenty common types. */
export function describeInstanceTypes(input: DescribeInstanceTypesRequest): DescribeInstanceTypesResult {
  const asked = input.InstanceTypes ?? [...catalogue.keys()];
  const all = asked.map((type) => {
    const figures = catalogue.get(type);
    if (figures === undefined) throw ec2Errors.invalidInstanceType(type);
    return describe(type, figures);
  });
  const { items, nextToken } = page(keep(all, input.Filters, filterFields), {
    nextToken: input.NextToken,
    size: pageSize(input.MaxResults, { default: 100, maximum: 100 }),
    invalidToken: ec2Errors.invalidNextToken,
  });
  return { InstanceTypes: items, NextToken: nextToken };
}

function describe(type: string, figures: Figures): InstanceTypeInfo {
  return {
    InstanceType: type as _InstanceType,
    CurrentGeneration: currentFamilies.has(type.split('.')[0] ?? ''),
    SupportedUsageClasses: ['on-demand', 'spot'],
    Hypervisor: 'nitro',
    ProcessorInfo: { SupportedArchitectures: [figures.architecture] },
    VCpuInfo: { DefaultVCpus: figures.cpus },
    MemoryInfo: { SizeInMiB: figures.memoryMebibytes },
    NetworkInfo: {
      MaximumNetworkInterfaces: figures.networkInterfaces,
      Ipv4AddressesPerInterface: figures.addressesPerInterface,
      NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: figures.networkInterfaces }],
    },
  };
}

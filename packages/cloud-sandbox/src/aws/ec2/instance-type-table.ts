import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchitectureType, UsageClassType } from '@aws-sdk/client-ec2';

/** The figures of an instance type, as DescribeInstanceTypes gives them on AWS. */
export interface InstanceTypeFigures {
  readonly cpus: number;
  readonly memoryMebibytes: number;
  /** The network interfaces that each network card takes; the default card is the first. */
  readonly interfacesOfCards: readonly number[];
  readonly ipv4AddressesPerInterface: number;
  readonly ipv6AddressesPerInterface: number;
  readonly architectures: readonly ArchitectureType[];
  /** Undefined for bare metal. */
  readonly hypervisor: 'nitro' | 'xen' | undefined;
  readonly isCurrentGeneration: boolean;
  readonly usageClasses: readonly UsageClassType[];
  readonly gpus: readonly {
    readonly count: number;
    /** What the operating system sees: a type with a share of a GPU has a count of 0, and sees one. */
    readonly logicalCount: number;
    readonly manufacturer: string;
    readonly name: string;
  }[];
  readonly neurons: readonly { readonly count: number; readonly name: string }[];
}

const file = join(import.meta.dirname, 'instance-types.csv');

/** The table that scripts/instance-types.ts generates, by the names of the types. */
export const instanceTypeTable: ReadonlyMap<string, InstanceTypeFigures> = new Map(
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(1)
    .map(read),
);

function read(line: string): [string, InstanceTypeFigures] {
  const [type = '', cpus, memory, interfaces = '', ipv4, ipv6, architectures = '', ...rest] = line.split(',');
  const [hypervisor, generation, usage = '', gpus = '', neurons = ''] = rest;
  return [
    type,
    {
      cpus: Number(cpus),
      memoryMebibytes: Number(memory),
      interfacesOfCards: interfaces.split('+').map(Number),
      ipv4AddressesPerInterface: Number(ipv4),
      ipv6AddressesPerInterface: Number(ipv6),
      architectures: architectures.split('+') as ArchitectureType[],
      hypervisor: hypervisor === 'nitro' || hypervisor === 'xen' ? hypervisor : undefined,
      isCurrentGeneration: generation === 'c',
      usageClasses: usage.split('+') as UsageClassType[],
      gpus: listOf(gpus).map(([count, logicalCount, manufacturer = '', ...name]) => ({
        count: Number(count),
        logicalCount: Number(logicalCount),
        manufacturer,
        name: name.join(' '),
      })),
      neurons: listOf(neurons).map(([count, ...name]) => ({ count: Number(count), name: name.join(' ') })),
    },
  ];
}

function listOf(field: string): readonly string[][] {
  return field === '' ? [] : field.split('+').map((words) => words.split(' '));
}

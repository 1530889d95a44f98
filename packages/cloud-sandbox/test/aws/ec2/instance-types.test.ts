import type { _InstanceType, Filter, InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { describeInstanceTypes } from '../../../src/aws/ec2/instance-types.ts';
import { createCloud } from '../support/cloud.ts';

/** The tests name types that the SDK need not know. */
const named = (...types: readonly string[]) => ({ InstanceTypes: types as _InstanceType[] });

const describeType = (type: string): InstanceTypeInfo | undefined =>
  describeInstanceTypes(named(type)).InstanceTypes?.[0];

function everyPage(filters: Filter[] = []): string[] {
  const names: string[] = [];
  let token: string | undefined;
  do {
    const { InstanceTypes = [], NextToken } = describeInstanceTypes({ Filters: filters, NextToken: token });
    expect(InstanceTypes.length).toBeLessThanOrEqual(100);
    names.push(...InstanceTypes.map(({ InstanceType }) => String(InstanceType)));
    token = NextToken;
  } while (token !== undefined);
  return names;
}

// https://docs.aws.amazon.com/ec2/latest/instancetypes
test.each([
  { type: 't3.micro', cpus: 2, gibibytes: 1, interfaces: 2, addresses: 2, architecture: 'x86_64' },
  { type: 'm5.large', cpus: 2, gibibytes: 8, interfaces: 3, addresses: 10, architecture: 'x86_64' },
  { type: 'm7g.xlarge', cpus: 4, gibibytes: 16, interfaces: 4, addresses: 15, architecture: 'arm64' },
  { type: 'c6i.32xlarge', cpus: 128, gibibytes: 256, interfaces: 15, addresses: 50, architecture: 'x86_64' },
  { type: 'g5.xlarge', cpus: 4, gibibytes: 16, interfaces: 4, addresses: 15, architecture: 'x86_64' },
  { type: 'p5.48xlarge', cpus: 192, gibibytes: 2048, interfaces: 64, addresses: 50, architecture: 'x86_64' },
])('$type has the documented figures', ({ type, cpus, gibibytes, interfaces, addresses, architecture }) => {
  expect(describeType(type)).toMatchObject({
    InstanceType: type,
    Hypervisor: 'nitro',
    VCpuInfo: { DefaultVCpus: cpus },
    MemoryInfo: { SizeInMiB: gibibytes * 1024 },
    ProcessorInfo: { SupportedArchitectures: [architecture] },
    NetworkInfo: {
      MaximumNetworkInterfaces: interfaces,
      Ipv4AddressesPerInterface: addresses,
      Ipv6AddressesPerInterface: addresses,
    },
  });
});

// https://docs.aws.amazon.com/ec2/latest/instancetypes/ac.html
test('DescribeInstanceTypes has the accelerators of a type, and none of one without', () => {
  expect(describeType('g4dn.12xlarge')?.GpuInfo).toEqual({
    Gpus: [{ Count: 4, LogicalGpuCount: 4, Manufacturer: 'NVIDIA', Name: 'T4' }],
  });
  expect(describeType('g6f.2xlarge')?.GpuInfo?.Gpus).toMatchObject([{ Count: 0, LogicalGpuCount: 1 }]);
  expect(describeType('inf2.24xlarge')?.NeuronInfo).toEqual({
    NeuronDevices: [{ Count: 6, Name: 'Inferentia2' }],
  });
  expect(describeType('m5.large')).not.toHaveProperty('GpuInfo');
  expect(describeType('m5.large')).not.toHaveProperty('NeuronInfo');
});

test('DescribeInstanceTypes distinguishes current and previous generations', () => {
  expect(describeType('m7g.xlarge')?.CurrentGeneration).toBe(true);
  expect(describeType('m4.large')?.CurrentGeneration).toBe(false);
});

test('p5.48xlarge spreads its network interfaces over 32 network cards', () => {
  expect(describeType('p5.48xlarge')?.NetworkInfo).toMatchObject({
    MaximumNetworkCards: 32,
    NetworkCards: expect.arrayContaining([{ NetworkCardIndex: 31, MaximumNetworkInterfaces: 2 }]),
  });
});

test('t3.micro launches', () => {
  const { Instances = [] } = createCloud().ec2.operations.RunInstances({
    InstanceType: 't3.micro',
    ImageId: 'ami-0123456789abcdef0',
    MinCount: 1,
    MaxCount: 1,
  });
  expect(Instances[0]).toMatchObject({ InstanceType: 't3.micro', Architecture: 'x86_64' });
});

test('every type is listed once, in pages of a hundred', () => {
  const names = everyPage();
  expect(names.length).toBeGreaterThan(1000);
  expect(new Set(names).size).toBe(names.length);
});

test('the table has valid figures for every type', () => {
  for (const name of everyPage()) {
    const { VCpuInfo, MemoryInfo, NetworkInfo, ProcessorInfo } = describeType(name) ?? {};
    const figures = [
      VCpuInfo?.DefaultVCpus,
      MemoryInfo?.SizeInMiB,
      NetworkInfo?.MaximumNetworkInterfaces,
      NetworkInfo?.Ipv4AddressesPerInterface,
    ];
    for (const figure of figures) expect(figure, name).toBeGreaterThan(0);
    expect(NetworkInfo?.Ipv6AddressesPerInterface, name).toBeGreaterThanOrEqual(0);
    expect(['x86_64', 'arm64', 'i386', 'x86_64_mac', 'arm64_mac'], name).toEqual(
      expect.arrayContaining(ProcessorInfo?.SupportedArchitectures ?? ['none']),
    );
  }
});

test.each<[string, string[]]>([
  ['bare-metal', ['true']],
  ['hypervisor', ['xen']],
  ['network-info.maximum-network-interfaces', ['4']],
  ['network-info.ipv4-addresses-per-interface', ['15']],
  ['network-info.maximum-network-cards', ['32']],
  ['supported-usage-class', ['capacity-block']],
])('the filter %s matches some types, but not all', (Name, Values) => {
  const found = everyPage([{ Name, Values }]);
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(everyPage().length);
});

test('unknown types are refused by name', () => {
  expect(() => describeInstanceTypes(named('m5.large', 'z9.huge', 'z9.small'))).toThrow(
    'The following supplied instance types do not exist: [z9.huge, z9.small]',
  );
});

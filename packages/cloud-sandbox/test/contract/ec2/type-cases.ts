import { DescribeInstanceTypesCommand } from '@aws-sdk/client-ec2';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { type Ec2World, launch } from './world.ts';

const named = (name: string) => ({ name });

/** Instance types, from which Drover reads how many pods a node can run. */
export const ec2TypeCases: Cases<Ec2World> = {
  'an instance type shows its vCPUs, memory and network interfaces': async ({ client }) => {
    const { InstanceTypes = [] } = await client.send(
      new DescribeInstanceTypesCommand({ InstanceTypes: ['m7g.large'] }),
    );
    expect(InstanceTypes).toHaveLength(1);
    expect(InstanceTypes[0]).toMatchObject({
      InstanceType: 'm7g.large',
      ProcessorInfo: { SupportedArchitectures: ['arm64'] },
      VCpuInfo: { DefaultVCpus: 2 },
      MemoryInfo: { SizeInMiB: 8192 },
      NetworkInfo: { MaximumNetworkInterfaces: 3, Ipv4AddressesPerInterface: 10 },
    });
  },
  'instance types can be filtered by vCPUs, memory and architecture': async ({ client }) => {
    const { InstanceTypes = [] } = await client.send(
      new DescribeInstanceTypesCommand({
        Filters: [
          { Name: 'instance-type', Values: ['m5.*', 'm7g.*'] },
          { Name: 'vcpu-info.default-vcpus', Values: ['2'] },
          { Name: 'processor-info.supported-architecture', Values: ['arm64'] },
          { Name: 'memory-info.size-in-mib', Values: ['8192'] },
        ],
      }),
    );
    expect(InstanceTypes.map(({ InstanceType }) => InstanceType)).toEqual(['m7g.large']);
  },
  'an unknown instance type is refused by name': async ({ client }) => {
    const InstanceTypes = ['m5.large', 'z9.huge'] as never[];
    await expect(client.send(new DescribeInstanceTypesCommand({ InstanceTypes }))).rejects.toMatchObject(
      named('InvalidInstanceType'),
    );
  },
  'an instance of an unknown type cannot be launched': async (world) => {
    await expect(launch(world, { InstanceType: 'z9.huge' as never })).rejects.toMatchObject(
      named('InvalidInstanceType'),
    );
  },
};

import { expect, test } from 'vitest';
import { instanceTypeTable } from '../../src/aws/ec2/instance-type-table.ts';
import { nodeCapacity } from '../../src/cloud/node-capacity.ts';

// Golden values: awslabs/amazon-eks-ami for pods, CPU and reserved memory, with Karpenter's share for the hypervisor.
test.each([
  ['t3.medium', '17', '1930m', '3246Mi'],
  ['m5.large', '29', '1930m', '6903Mi'],
  ['m5.xlarge', '58', '3920m', '14162Mi'],
  ['c5.4xlarge', '234', '15890m', '27381Mi'],
])('a node on %s takes %s pods, %s of CPU and %s of memory', (type, pods, cpu, memory) => {
  expect(nodeCapacity(type)).toMatchObject({ capacity: { pods }, allocatable: { cpu, memory } });
});

test('a node on a type with several network cards counts the interfaces of the default card', () => {
  expect(nodeCapacity('p5.48xlarge').capacity?.pods).toBe('100');
});

test('a node on a Graviton type is arm64', () => {
  expect(nodeCapacity('m7g.xlarge').architecture).toBe('arm64');
  expect(nodeCapacity('m5.large').architecture).toBe('amd64');
});

test('every type leaves some memory for pods', () => {
  for (const type of instanceTypeTable.keys())
    expect(Number.parseInt(nodeCapacity(type).allocatable?.memory ?? '', 10), type).toBeGreaterThan(0);
});

test('a node on an unknown instance type keeps the defaults of the kubelet', () => {
  expect(nodeCapacity('z9.huge')).toEqual({});
});

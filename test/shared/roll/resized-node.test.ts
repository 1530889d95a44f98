import { expect, it } from 'vitest';
import type { InstanceTypeFacts } from '../../../shared/capacity/plan-input/instance-capacity.ts';
import { resizedNode } from '../../../shared/roll/resized-node.ts';
import { strandedPodsOf } from '../../../shared/roll/stranded-pods.ts';
import { occupied, planned, replicas } from '../capacity/plan/fixtures.ts';

const type = (
  instanceType: string,
  cpus: number,
  memoryMebibytes: number,
  devices = {},
): InstanceTypeFacts => ({
  instanceType,
  architecture: 'amd64',
  cpus,
  memoryMebibytes,
  interfaces: 3,
  ipv4AddressesPerInterface: 10,
  devices,
});

/** As the kubelet of an m5.xlarge shows it. */
const capacity = { cpu: '4', memory: '15896720Ki' };
const labels = { 'node.kubernetes.io/instance-type': 'm5.xlarge' };
const nodeWith = (pods: Parameters<typeof occupied>[1]) =>
  occupied('node-1', {
    labels,
    allocatable: { cpu: '3920m', memory: '14880Mi', pods: '58' },
    ...pods,
  });
const on = { spec: { nodeName: 'node-1' } };
const stranded = (types: readonly InstanceTypeFacts[], pods: Parameters<typeof occupied>[1]) =>
  strandedPodsOf('node-1', [nodeWith(pods)], (node) => resizedNode(node, capacity, types)).map(
    ({ pod }) => pod,
  );

const four = { pods: replicas(4, 'web', { requests: { cpu: '900m' }, ...on }) };

it('strands pods that a smaller type has no room for', () => {
  expect(stranded([type('m5.large', 2, 8192)], four)).toHaveLength(2);
});

it('strands none on a type of the same size, on a larger one, and if the types are not known', () => {
  expect(stranded([type('m6i.xlarge', 4, 16_384)], four)).toEqual([]);
  expect(stranded([type('m6i.4xlarge', 16, 65_536)], four)).toEqual([]);
  expect(stranded([], four)).toEqual([]);
});

it('strands none if the group still launches the type of the node, or one that is as large', () => {
  expect(stranded([type('m5.large', 2, 8192), type('m5.xlarge', 4, 16_384)], four)).toEqual([]);
  expect(stranded([type('m5.large', 2, 8192), type('m6i.xlarge', 4, 16_384)], four)).toEqual([]);
});

it('strands a pod that selects the old type', () => {
  const tied = planned('tied', { spec: { ...on.spec, nodeSelector: labels } });
  expect(stranded([type('m6i.xlarge', 4, 16_384)], { pods: [tied] })).toEqual(['shop/tied']);
});

it('takes accelerators away that the new types do not have', () => {
  const { node } = occupied('node-1', {
    labels,
    allocatable: { cpu: '4', memory: '8Gi', 'nvidia.com/gpu': '1' },
  });
  const left = (devices: Record<string, number>) =>
    resizedNode(node, capacity, [type('g5.xlarge', 4, 16_384, devices)]).allocatable.get('nvidia.com/gpu');
  expect([left({}), left({ 'nvidia.com/gpu': 1 })]).toEqual([0, node.allocatable.get('nvidia.com/gpu')]);
});

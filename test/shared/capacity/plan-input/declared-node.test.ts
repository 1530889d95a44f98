import { describe, expect, it } from 'vitest';
import { declaredNodeOf, type GroupLaunch } from '../../../../shared/capacity/plan-input/declared-node.ts';
import type { InstanceTypeFacts } from '../../../../shared/capacity/plan-input/instance-capacity.ts';
import { m5Large } from './fixtures.ts';

const template = 'k8s.io/cluster-autoscaler/node-template';
const declared = (
  launch: GroupLaunch,
  {
    tags = {},
    hasVpcCni = true,
  }: { readonly tags?: Record<string, string>; readonly hasVpcCni?: boolean } = {},
) => declaredNodeOf({ tags, availabilityZones: ['eu-west-1a'] }, launch, hasVpcCni);
const shapeOf = (...given: Parameters<typeof declared>) => {
  const node = declared(...given);
  if (node.status === 'unknown') throw new Error(node.reason);
  return node.shape;
};
const mebibytes = (amount: number | undefined) => (amount ?? 0) / 1024 ** 2;
const unknown = { types: { unknown: 'EC2 selects its instance types by attributes' } };

const types: Readonly<Record<string, InstanceTypeFacts>> = {
  't3.medium': { ...m5Large, instanceType: 't3.medium', memoryMebibytes: 4096, ipv4AddressesPerInterface: 6 },
  'm5.large': m5Large,
  'm5.xlarge': {
    ...m5Large,
    instanceType: 'm5.xlarge',
    cpus: 4,
    memoryMebibytes: 16_384,
    interfaces: 4,
    ipv4AddressesPerInterface: 15,
  },
  'c5.4xlarge': {
    ...m5Large,
    instanceType: 'c5.4xlarge',
    cpus: 16,
    memoryMebibytes: 32_768,
    interfaces: 8,
    ipv4AddressesPerInterface: 30,
  },
};

describe('a node that an instance type promises', () => {
  it.each([
    ['t3.medium', 17, 1930, 3246],
    ['m5.large', 29, 1930, 6903],
    ['m5.xlarge', 58, 3920, 14_162],
    ['c5.4xlarge', 234, 15_890, 27_381],
  ])('of %s has %i pods, %i thousandths of a CPU and %i MiB, as on EKS', (name, pods, cpu, memory) => {
    const { allocatable } = shapeOf({ types: [types[name] ?? m5Large] });
    expect([allocatable.get('pods'), allocatable.get('cpu'), mebibytes(allocatable.get('memory'))]).toEqual([
      pods,
      cpu,
      memory,
    ]);
  });

  it('has 64 MiB less on arm64, and the labels of its architecture', () => {
    const shape = shapeOf({ types: [{ ...m5Large, instanceType: 'm6g.large', architecture: 'arm64' }] });
    // 8192 - 64 = 8128, less 7.5 % rounded up (610), 255 + 11 x 29 for the kubelet and 100 for eviction.
    expect(mebibytes(shape.allocatable.get('memory'))).toBe(8128 - 610 - 574 - 100);
    expect(shape.labels).toEqual({
      'kubernetes.io/arch': 'arm64',
      'beta.kubernetes.io/arch': 'arm64',
      'kubernetes.io/os': 'linux',
      'beta.kubernetes.io/os': 'linux',
      'node.kubernetes.io/instance-type': 'm6g.large',
      'beta.kubernetes.io/instance-type': 'm6g.large',
      'topology.kubernetes.io/region': 'eu-west-1',
      'failure-domain.beta.kubernetes.io/region': 'eu-west-1',
    });
  });

  it('has at most 110 pods without the VPC CNI, and its accelerators', () => {
    const { allocatable } = shapeOf(
      { types: [{ ...m5Large, devices: { 'nvidia.com/gpu': 4 } }] },
      { hasVpcCni: false },
    );
    expect([allocatable.get('pods'), allocatable.get('nvidia.com/gpu')]).toEqual([110, 4]);
  });

  it('has the storage of its volume less what the kubelet keeps, and none if the size is not known', () => {
    expect(shapeOf({ types: [m5Large], volumeGibibytes: 20 }).allocatable.get('ephemeral-storage')).toBe(
      17 * 1024 ** 3,
    );
    expect(shapeOf({ types: [m5Large] }).allocatable.has('ephemeral-storage')).toBe(false);
  });

  it('has the least of several types, and no label in which they differ', () => {
    const gpu = {
      ...m5Large,
      instanceType: 'g4dn.large',
      memoryMebibytes: 4096,
      devices: { 'nvidia.com/gpu': 1 },
    };
    const bigger = { ...m5Large, instanceType: 'm5.2xlarge', cpus: 8, memoryMebibytes: 32_768 };
    const { allocatable, labels } = shapeOf({ types: [bigger, gpu] });
    expect([
      allocatable.get('cpu'),
      mebibytes(allocatable.get('memory')),
      allocatable.has('nvidia.com/gpu'),
    ]).toEqual([1930, 4096 - 308 - 574 - 100, false]);
    expect(labels['kubernetes.io/arch']).toBe('amd64');
    expect(labels['node.kubernetes.io/instance-type']).toBeUndefined();
  });
});

describe('the tags of cluster-autoscaler', () => {
  it('win over the formula and over EKS', () => {
    const shape = shapeOf(
      {
        types: [m5Large],
        nodegroup: {
          labels: { pool: 'eks', 'eks.amazonaws.com/nodegroup': 'web' },
          taints: [
            { key: 'dedicated', value: 'old', effect: 'NoSchedule' },
            { key: 'spot', value: '', effect: 'NoSchedule' },
          ],
        },
      },
      {
        tags: {
          [`${template}/label/pool`]: 'tagged',
          [`${template}/taint/dedicated`]: 'web:NoExecute',
          [`${template}/resources/cpu`]: '1500m',
          [`${template}/resources/smarter-devices/fuse`]: '20',
          [`${template}/options/scaledownunneededtime`]: '1m0s',
          [`${template}/label/`]: 'nothing',
        },
      },
    );
    expect([shape.labels['pool'], shape.labels['eks.amazonaws.com/nodegroup'], shape.labels['']]).toEqual([
      'tagged',
      'web',
      undefined,
    ]);
    expect(shape.taints).toEqual([
      { key: 'spot', value: '', effect: 'NoSchedule' },
      { key: 'dedicated', value: 'web', effect: 'NoExecute' },
    ]);
    expect([shape.allocatable.get('cpu'), shape.allocatable.get('smarter-devices/fuse')]).toEqual([1500, 20]);
    expect(mebibytes(shape.allocatable.get('memory'))).toBe(6903);
  });

  it('may have taints without a value', () => {
    expect(
      shapeOf({ types: [m5Large] }, { tags: { [`${template}/taint/spot`]: ':NoSchedule' } }).taints,
    ).toEqual([{ key: 'spot', value: '', effect: 'NoSchedule' }]);
  });

  it.each([
    ['taint/spot', 'NoSchedule', /not VALUE:EFFECT/],
    ['taint/spot', 'true:Never', /not VALUE:EFFECT/],
    ['resources/cpu', 'two', /not a quantity/],
    ['resources/memory', '', /not a quantity/],
  ])('that are malformed are named and ignored: %s=%s', (key, value, problem) => {
    const node = declared({ types: [m5Large] }, { tags: { [`${template}/${key}`]: value } });
    expect(node.status === 'known' && node.warnings[0]).toMatch(problem);
    expect(node.status === 'known' && [node.shape.taints.length, node.shape.allocatable.get('cpu')]).toEqual([
      0, 1930,
    ]);
  });

  it('are enough by themselves if they name CPU, memory and pods', () => {
    const tags = { [`${template}/resources/cpu`]: '4', [`${template}/resources/memory`]: '16Gi' };
    expect(declared(unknown, { tags })).toEqual({
      status: 'unknown',
      reason: `it has no Ready node, and EC2 selects its instance types by attributes: launch one node, or tag the group with ${template}/resources/pods`,
    });
    const { allocatable } = shapeOf(unknown, { tags: { ...tags, [`${template}/resources/pods`]: '58' } });
    expect([...allocatable]).toEqual([
      ['cpu', 4000],
      ['memory', 16 * 1024 ** 3],
      ['pods', 58],
    ]);
    expect(shapeOf(unknown, { tags, hasVpcCni: false }).allocatable.get('pods')).toBe(110);
  });
});

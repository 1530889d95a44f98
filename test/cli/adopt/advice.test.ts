import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { adviseGroups } from '../../../cli/adopt/plan/advice.ts';
import type { ObservedLayout, ObservedMachine } from '../../../cli/adopt/plan/layout.ts';
import { group, node, observation, wishes } from './observed.ts';

/** As docs/group-layout.md has it: one zone, On-Demand, and a replacement before each termination. */
const layout = (changes: Partial<ObservedLayout> = {}): ObservedLayout => ({
  zones: ['eu-west-1a'],
  minSize: 1,
  balancesZones: true,
  spotStrategy: undefined,
  rebalancesCapacity: false,
  instanceTypes: [],
  hasWeights: false,
  minHealthyPercentage: 100,
  hasWarmPool: false,
  ...changes,
});

const machine = (changes: Partial<ObservedMachine> = {}): ObservedMachine => ({
  labels: {},
  taints: [],
  cpu: '4',
  memoryKibibytes: 16_000_000,
  hasVolumes: false,
  ...changes,
});

const spot = { spotStrategy: 'capacity-optimized', rebalancesCapacity: true } as const;
const threeZones = { zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'] };
const found = {
  'k8s.io/cluster-autoscaler/enabled': 'true',
  'k8s.io/cluster-autoscaler/prod': 'owned',
};

interface Situation {
  readonly layout?: Partial<ObservedLayout>;
  readonly tags?: Readonly<Record<string, string>>;
  readonly machines?: readonly ObservedMachine[];
  readonly userData?: string | Uint8Array;
}

const advise = ({ layout: changes = {}, tags = {}, machines = [], userData }: Situation) => {
  const instances = machines.map((_, index) => ({ instanceId: `i-${index}`, lifecycleState: 'InService' }));
  const template = {
    id: 'lt-1',
    name: 'workers',
    version: '2',
    number: 2,
    otherGroups: [],
    userData: Buffer.from(userData ?? ''),
    latest: { number: 2, description: '', userData: Buffer.from('') },
  };
  return adviseGroups(
    observation({
      groups: [
        group('workers', tags, {
          layout: layout(changes),
          instances,
          ...(userData !== undefined && { launch: { kind: 'templates', templates: [template] } }),
        }),
      ],
      nodes: machines.map((one, index) => node(`node-${index}`, `i-${index}`, { machine: one })),
    }),
    wishes(),
  );
};

const idsOf = (situation: Situation): readonly string[] => advise(situation).map(({ id }) => id);

describe('the advice of an adoption', () => {
  const cases: readonly (readonly [string, Situation, readonly string[]])[] = [
    ['says nothing of a group that is laid out as the guide says', {}, []],
    [
      'says nothing of a Spot group of one size that is replaced early, in zones that are not balanced',
      {
        layout: {
          ...spot,
          ...threeZones,
          balancesZones: false,
          instanceTypes: ['m7g.large', 'm6gd.large', 't4g.large'],
        },
      },
      [],
    ],
    [
      'wants a group for each zone if a node has a volume (kubernetes/autoscaler#1431)',
      { layout: threeZones, machines: [machine(), machine({ hasVolumes: true })] },
      ['one-group-per-zone'],
    ],
    [
      'leaves a group of three zones alone if no node has a volume',
      { layout: threeZones, machines: [machine()] },
      [],
    ],
    ['leaves volumes in one zone alone', { machines: [machine({ hasVolumes: true })] }, []],
    [
      'suspends AZRebalance if cluster-autoscaler removes nodes of the group (kubernetes/autoscaler#3693)',
      { layout: threeZones, tags: found },
      ['az-rebalance'],
    ],
    [
      'suspends AZRebalance of Spot in several zones (kubernetes/kops#3319)',
      { layout: { ...spot, ...threeZones } },
      ['az-rebalance'],
    ],
    [
      'wants Capacity Rebalancing for Spot',
      { layout: { ...spot, rebalancesCapacity: false } },
      ['capacity-rebalance'],
    ],
    [
      'wants another strategy than the lowest price',
      { layout: { ...spot, spotStrategy: 'lowest-price' } },
      ['spot-strategy'],
    ],
    [
      'wants types of one size (kubernetes/autoscaler#3217)',
      { layout: { instanceTypes: ['m5.xlarge', 'm5.2xlarge'] } },
      ['one-size'],
    ],
    [
      'knows that c5 has less memory than m5',
      { layout: { instanceTypes: ['m5.large', 'c5.large'] } },
      ['one-size'],
    ],
    [
      'finds different nodes if attributes select the types',
      { machines: [machine(), machine({ memoryKibibytes: 32_000_000 })] },
      ['one-size'],
    ],
    [
      'knows that nodes of one size report slightly different memory',
      { machines: [machine(), machine({ memoryKibibytes: 15_700_000 })] },
      [],
    ],
    [
      'names the missing one of two discovery tags',
      { tags: { 'k8s.io/cluster-autoscaler/enabled': '' } },
      ['autoscaler-discovery'],
    ],
    [
      'names weights, which cluster-autoscaler does not count (kubernetes/autoscaler#4851)',
      { tags: found, layout: { hasWeights: true } },
      ['weights'],
    ],
    [
      'names labels and taints of a group that may have no nodes and no tag predicts (kubernetes/autoscaler#511)',
      {
        tags: found,
        layout: { minSize: 0 },
        machines: [
          machine({
            labels: { 'example.com/team': 'a' },
            taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
          }),
        ],
      },
      ['autoscaler-template'],
    ],
    [
      'says so too if there is no node to read',
      { tags: found, layout: { minSize: 0 } },
      ['autoscaler-template'],
    ],
    [
      'says nothing of labels that come from Kubernetes, the cloud and its drivers, or that nodes do not share',
      {
        tags: found,
        layout: { minSize: 0 },
        machines: [
          machine({
            labels: {
              'kubernetes.io/arch': 'arm64',
              'topology.ebs.csi.aws.com/zone': 'eu-west-1a',
              'eks.amazonaws.com/nodegroup-image': 'ami-1',
              'node.kubernetes.io/instance-type': 'm7g.large',
              mine: 'a',
            },
            taints: [{ key: 'node.kubernetes.io/not-ready', value: '', effect: 'NoSchedule' }],
          }),
          machine({ labels: { mine: 'b' } }),
        ],
      },
      [],
    ],
    [
      'wants an instance maintenance policy',
      { layout: { minHealthyPercentage: undefined } },
      ['launch-before-terminate'],
    ],
    ['wants it to launch first', { layout: { minHealthyPercentage: 90 } }, ['launch-before-terminate']],
    [
      'names user data that lets a kubelet start in the warm pool (kubernetes/kops#11216)',
      { layout: { hasWarmPool: true }, userData: '#!/bin/bash\n/etc/eks/bootstrap.sh prod\n' },
      ['warm-pool'],
    ],
    [
      'accepts user data that waits, of Drover or Bottlerocket',
      { layout: { hasWarmPool: true }, userData: '[settings.autoscaling]\nshould-wait = true\n' },
      [],
    ],
    [
      'does not judge compressed user data',
      { layout: { hasWarmPool: true }, userData: gzipSync('#!/bin/bash\n') },
      [],
    ],
  ];
  it.each(cases)('%s', (_, situation, ids) => {
    expect(idsOf(situation)).toEqual(ids);
  });

  it('has a command with the tags that are missing', () => {
    const [advice] = advise({
      tags: found,
      layout: { minSize: 0 },
      machines: [
        machine({
          labels: { 'node.kubernetes.io/lifecycle': 'spot' },
          taints: [{ key: 'node.kubernetes.io/lifecycle', value: 'spot', effect: 'NoSchedule' }],
        }),
      ],
    });
    for (const part of [
      '"Key":"k8s.io/cluster-autoscaler/node-template/label/node.kubernetes.io/lifecycle","Value":"spot"',
      '"Key":"k8s.io/cluster-autoscaler/node-template/taint/node.kubernetes.io/lifecycle","Value":"spot:NoSchedule"',
    ])
      expect(advice?.command).toContain(part);
  });

  it('names no tag whose key is longer than AWS takes', () => {
    const key = (length: number) => `${'team.'.repeat(20)}example.org/pool`.slice(-length);
    const labels = { [key(82)]: 'a', [key(83)]: 'b' };
    const taints = [key(82), key(83)].map((one) => ({ key: one, value: 'a', effect: 'NoSchedule' as const }));
    const [advice] = advise({ layout: { minSize: 0 }, tags: found, machines: [machine({ labels, taints })] });
    const tags = [...(advice?.command.matchAll(/"Key":"([^"]+)"/g) ?? [])].map(([, tag = '']) => tag);
    expect(tags).toEqual(
      ['label', 'taint'].map((kind) => `k8s.io/cluster-autoscaler/node-template/${kind}/${key(82)}`),
    );
    expect(tags.map(({ length }) => length)).toEqual([128, 128]);
  });

  it('is not given for groups that are refused', () => {
    const managed = group(
      'eks-a',
      { 'eks:nodegroup-name': 'a', 'eks:cluster-name': 'prod' },
      {
        layout: layout({ minHealthyPercentage: undefined }),
      },
    );
    expect(adviseGroups(observation({ groups: [managed] }), wishes())).toEqual([]);
  });
});

describe('for all groups', () => {
  const word = fc.constantFrom(
    'm5.large',
    'c5.large',
    'M5.LARGE',
    '',
    'x',
    'u-6tb1.metal',
    "it's; rm -rf /\n",
    '${HOME}',
  );
  const layouts = fc.record({
    zones: fc.array(word, { maxLength: 3 }),
    minSize: fc.integer({ min: 0, max: 2 }),
    balancesZones: fc.boolean(),
    spotStrategy: fc.option(word, { nil: undefined }),
    rebalancesCapacity: fc.boolean(),
    instanceTypes: fc.array(word, { maxLength: 3 }),
    hasWeights: fc.boolean(),
    minHealthyPercentage: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    hasWarmPool: fc.boolean(),
  });
  const machines = fc.array(
    fc.record({
      labels: fc.dictionary(word, word),
      taints: fc.array(fc.record({ key: word, value: word, effect: fc.constant('NoSchedule' as const) }), {
        maxLength: 2,
      }),
      cpu: word,
      memoryKibibytes: fc.option(fc.nat(), { nil: undefined }),
      hasVolumes: fc.boolean(),
    }),
    { maxLength: 3 },
  );
  const tags = fc.subarray(Object.entries(found)).map((entries) => Object.fromEntries(entries));

  test('each advice has a command or a page, and is given once for one reason', () => {
    fc.assert(
      fc.property(layouts, machines, tags, (one, some, tagged) => {
        const advice = advise({ layout: one, machines: some, tags: tagged });
        const ids = advice.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { command, message } of advice) {
          expect(command).toMatch(/^(?:aws autoscaling |docs\/group-layout\.md#)/);
          expect(message).not.toBe('');
        }
      }),
    );
  });

  test('a group without the tags of cluster-autoscaler gets no advice for it', () => {
    fc.assert(
      fc.property(layouts, machines, (one, some) => {
        const ids = idsOf({ layout: one, machines: some });
        expect(ids.filter((id) => id.startsWith('autoscaler') || id === 'weights')).toEqual([]);
      }),
    );
  });

  test('once the tags of its command are set, nothing is missing for cluster-autoscaler', () => {
    fc.assert(
      fc.property(layouts, machines, tags, (one, some, tagged) => {
        const set = Object.fromEntries(
          advise({ layout: one, machines: some, tags: tagged })
            .filter(({ id, command }) => id.startsWith('autoscaler') && command.startsWith('aws '))
            .flatMap(({ command }) =>
              [...command.matchAll(/"Key":("(?:[^"\\]|\\.)*"),"Value":("(?:[^"\\]|\\.)*")/g)].map(
                ([, key, value]) => [
                  JSON.parse(unshelled(key)) as string,
                  JSON.parse(unshelled(value)) as string,
                ],
              ),
            ),
        );
        const left = advise({ layout: one, machines: some, tags: { ...tagged, ...set } });
        const missing = left.filter(
          ({ id, command }) => id.startsWith('autoscaler') && command.startsWith('aws '),
        );
        expect(missing).toEqual([]);
      }),
    );
  });
});

/** A single quote inside of single quotes. */
const unshelled = (text = ''): string => text.replaceAll(`'\\''`, "'");

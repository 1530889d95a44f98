import * as fc from 'fast-check';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { CSINode } from 'kubernetes-types/storage/v1.d.ts';

export const zoneKey = 'topology.kubernetes.io/zone';
export const hostKey = 'kubernetes.io/hostname';
export const ebsDriver = 'ebs.csi.aws.com';

/** A value in `odds` draws for each without one. */
export const sometimes = <T>(arbitrary: fc.Arbitrary<T>, odds = 3): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: Math.round(odds * 10), arbitrary }, { weight: 10, arbitrary: fc.constant(undefined) });

/** The entries that were drawn. */
export const present = <T>(record: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter((entry): entry is [string, T] => entry[1] !== undefined));

export const zones = fc.constantFrom('a', 'b', 'c');

/** Amounts as people and controllers spell them. */
export const cpus = fc.constantFrom('0', '1m', '100m', '250m', '0.5', '1', '1.5', '1500m', '2e0', '100u');
export const memories = fc.constantFrom(
  '0',
  '64Mi',
  '1Gi',
  '1024Mi',
  '1.5Gi',
  '1e9',
  '2G',
  '500000k',
  '.5Gi',
);

const labels = fc
  .record({
    [zoneKey]: sometimes(zones, 9),
    [hostKey]: fc.constant(''),
    pool: sometimes(fc.constantFrom('one', 'two', '')),
    size: sometimes(fc.constantFrom('3', '10', '4x', '007', 'x', '9223372036854775807')),
    'failure-domain.beta.kubernetes.io/zone': sometimes(zones, 1),
    'topology.kubernetes.io/region': sometimes(fc.constantFrom('eu', 'us'), 2),
  })
  .map(present);

export const effects = fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoSchedule');
const taint = fc.record({
  key: fc.constantFrom('gpu', 'team'),
  value: fc.constantFrom('', 'x'),
  effect: effects,
});
const taints = sometimes(
  fc.uniqueArray(taint, { minLength: 1, maxLength: 2, selector: ({ key, effect }) => `${key} ${effect}` }),
  0.3,
).map((list) => list ?? []);

const allocatable = fc
  .record({
    cpu: fc.constantFrom('1', '4', '7.91', '3920m', '16'),
    memory: fc.constantFrom('2Gi', '8Gi', '15729368Ki', '16e9', '32G'),
    pods: fc.constantFrom('3', '8', '110'),
    'ephemeral-storage': sometimes(fc.constantFrom('10Gi', '20G')),
    'nvidia.com/gpu': sometimes(fc.constantFrom('0', '2', '8')),
    'hugepages-2Mi': sometimes(fc.constantFrom('0', '64Mi', '1Gi')),
  })
  .map(present);

export interface DrawnNode {
  readonly node: Node;
  readonly csiNode: CSINode;
}

/** What makes a node give no room, with the taints that the node lifecycle controller adds then. */
const states = fc.oneof(
  { weight: 18, arbitrary: fc.constant({ unschedulable: false, ready: true }) },
  { weight: 1, arbitrary: fc.constant({ unschedulable: true, ready: true }) },
  { weight: 1, arbitrary: fc.constant({ unschedulable: false, ready: false }) },
);

const lifecycleTaints = ({ unschedulable, ready }: { unschedulable: boolean; ready: boolean }) => [
  ...(unschedulable ? [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] : []),
  ...(ready
    ? []
    : [
        { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
        { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
      ]),
];

const attachLimit = sometimes(fc.integer({ min: 0, max: 3 }), 2);

/** A node by its name: of any zone and kind. */
export const drawnNode = (name: string): fc.Arbitrary<DrawnNode> =>
  fc
    .record({
      labels,
      taints,
      allocatable,
      state: states,
      attachLimit,
      hasHostname: fc.integer({ min: 0, max: 9 }),
    })
    .map(({ labels: drawn, taints: own, allocatable: room, state, attachLimit: limit, hasHostname }) => {
      const { [hostKey]: _, ...others } = drawn;
      const node: Node = {
        metadata: { name, labels: hasHostname === 0 ? others : { ...others, [hostKey]: name } },
        spec: { taints: [...own, ...lifecycleTaints(state)], unschedulable: state.unschedulable },
        status: {
          allocatable: room,
          conditions: [{ type: 'Ready', status: state.ready ? 'True' : 'False' }],
        },
      };
      const driver = { name: ebsDriver, nodeID: name, topologyKeys: [zoneKey] };
      const csiNode: CSINode = {
        metadata: { name },
        spec: { drivers: [limit === undefined ? driver : { ...driver, allocatable: { count: limit } }] },
      };
      return { node, csiNode };
    });

/** Up to `most` nodes. */
export const drawnNodes = (most: number): fc.Arbitrary<readonly DrawnNode[]> =>
  fc
    .integer({ min: 0, max: most })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => drawnNode(`node-${index}`))));

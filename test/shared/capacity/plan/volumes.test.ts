import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
} from 'kubernetes-types/core/v1.d.ts';
import type { StorageClass } from 'kubernetes-types/storage/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { createClusterState } from '../../../../shared/capacity/plan/cluster-state.ts';
import { prepareCheck } from '../../../../shared/capacity/plan/filters.ts';
import { newNodeOf } from '../../../../shared/capacity/plan/new-node.ts';
import { emptySurroundings } from '../../../../shared/capacity/plan/pod.ts';
import type { OccupiedNode, PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import { groupOf, occupied, planned } from './fixtures.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const driver = 'ebs.csi.aws.com';

const claim = (
  name: string,
  spec: Partial<PersistentVolumeClaimSpec>,
  more: Partial<PersistentVolumeClaim> = {},
): readonly [string, PersistentVolumeClaim] => [
  `shop/${name}`,
  { metadata: { namespace: 'shop', name }, ...more, spec: { accessModes: ['ReadWriteOnce'], ...spec } },
];

const volume = (name: string, zone: string): readonly [string, PersistentVolume] => [
  name,
  {
    metadata: { name },
    spec: {
      csi: { driver, volumeHandle: `vol-${name}` },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: zoneKey, operator: 'In', values: [zone] }] }],
        },
      },
    },
  },
];

const storageClass = (
  name: string,
  settings: Partial<StorageClass> = {},
): readonly [string, StorageClass] => [
  name,
  { metadata: { name }, provisioner: driver, volumeBindingMode: 'WaitForFirstConsumer', ...settings },
];

const surroundings = {
  ...emptySurroundings,
  volumes: {
    claims: new Map([
      claim('data-a', { volumeName: 'pv-a', storageClassName: 'gp3' }),
      claim('lost', { volumeName: 'pv-gone' }),
      claim('new', { storageClassName: 'gp3' }),
      claim('new-b', { storageClassName: 'only-b' }),
      claim('now', { storageClassName: 'immediate' }),
      claim('local', { storageClassName: 'local' }),
      claim('default', {}),
      claim('one-pod', { storageClassName: 'gp3', accessModes: ['ReadWriteOncePod'] }),
      claim('labelled', { volumeName: 'pv-labelled' }),
      claim('in-tree', { volumeName: 'pv-in-tree' }),
      claim('old-label', { volumeName: 'pv-old-label' }),
      claim(
        'deleted',
        { storageClassName: 'gp3' },
        { metadata: { name: 'deleted', deletionTimestamp: '2026-01-01T00:00:00Z' } },
      ),
      claim('without-volume', { volumeName: 'pv-x' }, { status: { phase: 'Lost' } }),
      claim(
        'on-a1',
        { storageClassName: 'gp3' },
        { metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'a1' } } },
      ),
    ]),
    volumes: new Map<string, PersistentVolume>([
      volume('pv-a', 'a'),
      ['pv-labelled', { metadata: { name: 'pv-labelled', labels: { [zoneKey]: 'b__c' } }, spec: {} }],
      [
        'pv-old-label',
        {
          metadata: { name: 'pv-old-label', labels: { 'failure-domain.beta.kubernetes.io/zone': 'b' } },
          spec: {},
        },
      ],
      ['pv-in-tree', { metadata: {}, spec: { awsElasticBlockStore: { volumeID: 'vol-1' } } }],
    ]),
    classes: new Map([
      storageClass('gp3', {
        metadata: { name: 'gp3', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      }),
      storageClass('only-b', {
        allowedTopologies: [{ matchLabelExpressions: [{ key: zoneKey, values: ['b'] }] }],
      }),
      storageClass('immediate', { volumeBindingMode: 'Immediate' }),
      storageClass('local', { provisioner: 'kubernetes.io/no-provisioner' }),
    ]),
  },
};

const withClaims = (name: string, ...claims: string[]): PlannedPod =>
  planned(
    name,
    {
      spec: {
        volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
      },
    },
    surroundings,
  );

const reasonOf = (pod: PlannedPod, ...nodes: readonly OccupiedNode[]): string => {
  const cluster = createClusterState(nodes);
  const [state] = cluster.nodes;
  return state === undefined ? 'there is no node' : prepareCheck(pod, cluster)(state).join(', ') || '-';
};

const inA = occupied('a1');
const inB = occupied('b1', { labels: { [zoneKey]: 'b' } });

describe('a bound volume', () => {
  it('keeps its pod in its zone', () => {
    expect(reasonOf(withClaims('db', 'data-a'), inA)).toBe('-');
    expect(reasonOf(withClaims('db', 'data-a'), inB)).toBe(
      "node(s) didn't match PersistentVolume's node affinity",
    );
  });

  it('is promised no new node of a group over several zones (kubernetes/autoscaler#1431)', () => {
    const several = groupOf('workers', { zones: ['a', 'b'] }).template;
    expect(reasonOf(withClaims('db', 'data-a'), several)).toBe(
      "node(s) didn't match PersistentVolume's node affinity",
    );
    expect(reasonOf(withClaims('db', 'data-a'), groupOf('workers', { zones: ['a'] }).template)).toBe('-');
  });

  it('may have its zones in a label', () => {
    expect(reasonOf(withClaims('db', 'labelled'), inB)).toBe('-');
    expect(reasonOf(withClaims('db', 'labelled'), inA)).toBe('node(s) had no available volume zone');
  });

  it('whose zones are in a label may be used by a node that has no zone and no region at all', () => {
    const { node } = inB;
    const nowhere: OccupiedNode = { node: { ...node, labelSets: [{ pool: 'one' }] }, pods: [] };
    const inRegion: OccupiedNode = {
      node: { ...node, labelSets: [{ 'topology.kubernetes.io/region': 'eu' }] },
      pods: [],
    };
    expect(reasonOf(withClaims('db', 'labelled'), nowhere)).toBe('-');
    expect(reasonOf(withClaims('db', 'labelled'), inRegion)).toBe('node(s) had no available volume zone');
  });

  it('may have its zone in the old label, which nodes no longer have', () => {
    expect(reasonOf(withClaims('db', 'old-label'), inB)).toBe('-');
    expect(reasonOf(withClaims('db', 'old-label'), inA)).toBe('node(s) had no available volume zone');
  });

  it('that does not exist refuses its pod before nodes are looked at', () => {
    expect(reasonOf(withClaims('db', 'lost'), inA)).toBe('persistentvolume "pv-gone" not found');
  });

  it('and a claim that waits may both refuse a node, each with its reason', () => {
    const inC = occupied('c1', { labels: { [zoneKey]: 'c' } });
    expect(reasonOf(withClaims('db', 'data-a', 'new-b'), inC)).toBe(
      "node(s) didn't match PersistentVolume's node affinity, node(s) didn't find available persistent volumes to bind",
    );
  });
});

describe('a claim that is not bound', () => {
  it('is bound on any node, or where its class may create volumes', () => {
    expect(reasonOf(withClaims('db', 'new'), inA)).toBe('-');
    expect(reasonOf(withClaims('db', 'default'), inA)).toBe('-');
    expect(reasonOf(withClaims('db', 'new-b'), inB)).toBe('-');
    expect(reasonOf(withClaims('db', 'new-b'), inA)).toBe(
      "node(s) didn't find available persistent volumes to bind",
    );
  });

  it.each([
    ['missing', 'persistentvolumeclaim "missing" not found'],
    ['now', 'pod has unbound immediate PersistentVolumeClaims'],
    ['local', "node(s) didn't find available persistent volumes to bind"],
  ])('refuses every node if it is %s', (name, reason) => {
    expect(reasonOf(withClaims('db', name), inA)).toBe(reason);
  });

  it.each([
    ['deleted', 'persistentvolumeclaim "deleted" is being deleted'],
    [
      'without-volume',
      'persistentvolumeclaim "without-volume" bound to non-existent persistentvolume "pv-x"',
    ],
  ])('refuses its pod if it is %s', (name, reason) => {
    expect(reasonOf(withClaims('db', name), inA)).toBe(reason);
  });

  it('refuses its pod by the check that the scheduler makes first of all claims', () => {
    expect(reasonOf(withClaims('db', 'lost', 'now', 'deleted'), inA)).toContain('is being deleted');
    expect(reasonOf(withClaims('db', 'lost', 'now'), inA)).toContain('unbound immediate');
    expect(reasonOf(withClaims('db', 'lost', 'deleted', 'missing'), inA)).toContain('"missing" not found');
  });

  it('keeps its pod on the node for which its volume is being made', () => {
    expect(reasonOf(withClaims('db', 'on-a1'), inA)).toBe('-');
    expect(reasonOf(withClaims('db', 'on-a1'), inB)).toBe(
      "node(s) didn't find available persistent volumes to bind",
    );
  });

  it('that pods share keeps all of them in the zone of the first', () => {
    const cluster = createClusterState([inA, inB, occupied('b2', { labels: { [zoneKey]: 'b' } })]);
    cluster.addPod(withClaims('first', 'new'), 1);
    const check = prepareCheck(withClaims('second', 'new'), cluster);
    expect(cluster.nodes.map((state) => check(state).join(', ') || '-')).toEqual([
      "node(s) didn't match PersistentVolume's node affinity",
      '-',
      '-',
    ]);
  });

  it('that pods share keeps them on the first node while its zone is not known', () => {
    const several = groupOf('workers', { zones: ['a', 'b'] });
    const cluster = createClusterState([newNodeOf(several, 1), newNodeOf(several, 2), inA]);
    cluster.addPod(withClaims('first', 'new'), 0);
    const check = prepareCheck(withClaims('second', 'new'), cluster);
    expect(cluster.nodes.map((state) => check(state).length)).toEqual([0, 1, 1]);
  });

  it('that pods share may be anywhere if nodes have no zones', () => {
    const bare = (name: string): OccupiedNode => ({ ...inA, node: { ...inA.node, name, labelSets: [{}] } });
    const cluster = createClusterState([bare('one'), bare('two')]);
    cluster.addPod(withClaims('first', 'new'), 0);
    const check = prepareCheck(withClaims('second', 'new'), cluster);
    expect(cluster.nodes.map((state) => check(state).length)).toEqual([0, 0]);
  });

  it('may come from the template of an ephemeral volume', () => {
    const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'only-b' };
    const scratch = { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec } } };
    const pod = planned('db', { spec: { volumes: [scratch, { name: 'tmp', emptyDir: {} }] } }, surroundings);
    expect(reasonOf(pod, inB)).toBe('-');
    expect(reasonOf(pod, inA)).not.toBe('-');
  });
});

describe('the attach limit of a driver', () => {
  const limited = (...pods: readonly PlannedPod[]): OccupiedNode =>
    occupied('a1', { attachLimits: { [driver]: 2 }, pods });

  it('is as many volumes as the CSINode says (kubernetes-sigs/karpenter#1748)', () => {
    expect(reasonOf(withClaims('db', 'new', 'default'), limited())).toBe('-');
    expect(reasonOf(withClaims('db', 'new', 'default'), limited(withClaims('old', 'data-a')))).toBe(
      'node(s) exceed max volume count',
    );
    expect(reasonOf(withClaims('db', 'in-tree'), limited(withClaims('old', 'data-a', 'new')))).toBe(
      'node(s) exceed max volume count',
    );
  });

  it('counts a volume of two pods once', () => {
    expect(reasonOf(withClaims('db', 'data-a'), limited(withClaims('old', 'data-a', 'new')))).toBe('-');
  });

  it('counts volumes that are still attached without a pod', () => {
    const attached = [1, 2].map((number) => ({ driver, id: `vol-${number}` }));
    expect(reasonOf(withClaims('db', 'new'), { ...limited(), attached })).toBe(
      'node(s) exceed max volume count',
    );
  });

  it('counts a volume that is still attached beside the pod that comes back to it, as the scheduler does', () => {
    const attached = [1, 2].map((number) => ({ driver, id: number === 1 ? 'vol-pv-a' : 'vol-2' }));
    expect(reasonOf(withClaims('db', 'data-a'), { ...limited(), attached })).toBe(
      'node(s) exceed max volume count',
    );
    const used = { ...limited(withClaims('old', 'data-a')), attached: attached.slice(0, 1) };
    expect(reasonOf(withClaims('db', 'new'), used)).toBe('-');
  });

  it.each(['deleted', 'now'])('counts a claim of a pod on the node that is %s', (name) => {
    const node = limited(withClaims('old', name, 'new'));
    expect(reasonOf(withClaims('db', 'default'), node)).toBe('node(s) exceed max volume count');
  });

  it('does not exist for a driver that is not listed', () => {
    const other = occupied('a1', { attachLimits: { 'efs.csi.aws.com': 0 } });
    expect(reasonOf(withClaims('db', 'new'), other)).toBe('-');
  });
});

it('a claim with ReadWriteOncePod has one pod in the whole cluster', () => {
  const taken = occupied('b1', { pods: [withClaims('old', 'one-pod')] });
  expect(reasonOf(withClaims('db', 'one-pod'), inA)).toBe('-');
  expect(reasonOf(withClaims('db', 'one-pod'), inA, taken)).toContain(
    'ReadWriteOncePod access mode already in-use',
  );
});

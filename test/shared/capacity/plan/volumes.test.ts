import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
} from 'kubernetes-types/core/v1.d.ts';
import type { StorageClass } from 'kubernetes-types/storage/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { createClusterState } from '../../../../shared/capacity/plan/cluster-state.ts';
import { prepareCheck } from '../../../../shared/capacity/plan/filters.ts';
import { emptySurroundings } from '../../../../shared/capacity/plan/pod.ts';
import type { OccupiedNode, PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import { groupOf, occupied, planned } from './fixtures.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const driver = 'ebs.csi.aws.com';

const claim = (
  name: string,
  spec: Partial<PersistentVolumeClaimSpec>,
): readonly [string, PersistentVolumeClaim] => [
  `shop/${name}`,
  { metadata: { namespace: 'shop', name }, spec: { accessModes: ['ReadWriteOnce'], ...spec } },
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
    ]),
    volumes: new Map<string, PersistentVolume>([
      volume('pv-a', 'a'),
      ['pv-labelled', { metadata: { name: 'pv-labelled', labels: { [zoneKey]: 'b__c' } }, spec: {} }],
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

  it('that does not exist refuses every node', () => {
    expect(reasonOf(withClaims('db', 'lost'), inA)).toBe(
      'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
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

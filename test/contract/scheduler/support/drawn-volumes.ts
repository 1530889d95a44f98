import * as fc from 'fast-check';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { StorageClass } from 'kubernetes-types/storage/v1.d.ts';
import { ebsDriver, zoneKey } from './drawn-nodes.ts';

/** Claims whose pods have a place. */
export const claimNames = [
  'in-a',
  'in-b',
  'labelled',
  'old-label',
  'anywhere',
  'other-driver',
  'waits',
  'waits-too',
  'waits-for-b',
  'one-pod',
  'one-pod',
] as const;

/** Claims that keep their pods from all nodes; `missing` does not exist. */
export const strayClaimNames = ['immediate', 'no-class', 'lost', 'missing', 'deleted'] as const;

const claim = (
  name: string,
  spec: Readonly<Record<string, unknown>>,
  more: Partial<PersistentVolumeClaim> = {},
): PersistentVolumeClaim => ({
  ...more,
  metadata: {
    name,
    ...more.metadata,
    ...(spec['volumeName'] !== undefined && { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } }),
  },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    // Without a name of a class the API server writes that of its default class.
    storageClassName: '',
    ...spec,
  },
});

const claims: readonly PersistentVolumeClaim[] = [
  claim('in-a', { volumeName: 'pv-a' }),
  claim('in-b', { volumeName: 'pv-b' }),
  claim('labelled', { volumeName: 'pv-labelled' }),
  claim('old-label', { volumeName: 'pv-old-label' }),
  claim('anywhere', { volumeName: 'pv-anywhere' }),
  claim('other-driver', { volumeName: 'pv-other' }),
  claim('waits', { storageClassName: 'gp3' }),
  claim('waits-too', { storageClassName: 'gp3' }),
  claim('waits-for-b', { storageClassName: 'only-b' }),
  claim('one-pod', { storageClassName: 'gp3', accessModes: ['ReadWriteOncePod'] }),
  claim('immediate', { storageClassName: 'immediate' }),
  claim('no-class', { storageClassName: 'gone' }),
  claim('lost', { volumeName: 'pv-gone' }),
  claim(
    'deleted',
    { storageClassName: 'gp3' },
    { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x/y'] } },
  ),
];

const inZones = (...values: string[]) => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: zoneKey, operator: 'In', values }] }] },
  },
});
const csi = (volumeHandle: string, driver = ebsDriver) => ({ csi: { driver, volumeHandle } });

const volume = (
  name: string,
  spec: PersistentVolume['spec'],
  labels: Readonly<Record<string, string>> = {},
): PersistentVolume => ({
  metadata: { name, labels },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    persistentVolumeReclaimPolicy: 'Retain',
    ...spec,
  },
});

const volumes: readonly PersistentVolume[] = [
  volume('pv-a', { ...csi('vol-a'), ...inZones('a') }),
  volume('pv-b', { ...csi('vol-b'), ...inZones('b', 'd') }),
  volume('pv-labelled', csi('vol-labelled'), { [zoneKey]: 'b__c' }),
  volume('pv-old-label', csi('vol-old'), { 'failure-domain.beta.kubernetes.io/zone': 'a' }),
  volume('pv-anywhere', csi('vol-anywhere')),
  volume('pv-other', csi('vol-other', 'other.csi')),
];

const storageClass = (name: string, settings: Partial<StorageClass> = {}): StorageClass => ({
  metadata: { name },
  provisioner: ebsDriver,
  volumeBindingMode: 'WaitForFirstConsumer',
  ...settings,
});

const classes: readonly StorageClass[] = [
  storageClass('gp3'),
  storageClass('only-b', {
    allowedTopologies: [{ matchLabelExpressions: [{ key: zoneKey, values: ['b'] }] }],
  }),
  storageClass('immediate', { volumeBindingMode: 'Immediate' }),
];

export interface DrawnVolumes {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly volumes: readonly PersistentVolume[];
  readonly classes: readonly StorageClass[];
}

/** The same claims in each of the namespaces, with volumes of their own: `NAMESPACE-pv-a`. */
export const volumesOf = (namespaces: readonly string[]): DrawnVolumes => ({
  claims: namespaces.flatMap((namespace) =>
    claims.map(({ spec, ...one }) => ({
      ...one,
      metadata: { ...one.metadata, namespace },
      spec: { ...spec, ...(spec?.volumeName && { volumeName: `${namespace}-${spec.volumeName}` }) },
    })),
  ),
  volumes: namespaces.flatMap((namespace) =>
    volumes.map(({ metadata, spec }) => ({
      metadata: { ...metadata, name: `${namespace}-${metadata?.name}` },
      spec: {
        ...spec,
        ...(spec?.csi && { csi: { ...spec.csi, volumeHandle: `${namespace}-${spec.csi.volumeHandle}` } }),
      },
    })),
  ),
  classes,
});

/** Claims that waited are bound once a pod with them is on a node: to a volume in its zone, which is the first one's if pods share a claim. */
export function withBoundClaims(
  { claims: given, volumes: known, classes: all }: DrawnVolumes,
  pods: readonly Pod[],
  zoneOf: (nodeName: string) => string | undefined,
): DrawnVolumes {
  const made: PersistentVolume[] = [];
  const bound = given.map((one) => {
    const { namespace, name, deletionTimestamp } = one.metadata ?? {};
    const first = pods.find(
      ({ metadata, spec }) =>
        metadata?.namespace === namespace &&
        spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === name),
    );
    const waits = one.spec?.storageClassName === 'gp3' || one.spec?.storageClassName === 'only-b';
    if (first === undefined || !waits || deletionTimestamp !== undefined) return one;
    const zone = zoneOf(first.spec?.nodeName ?? '');
    const volumeName = `made-${namespace}-${name}`;
    made.push(volume(volumeName, { ...csi(volumeName), ...(zone !== undefined && inZones(zone)) }));
    return {
      ...one,
      metadata: { ...one.metadata, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { ...one.spec, volumeName },
    };
  });
  return { claims: bound, volumes: [...known, ...made], classes: all };
}

/** Volumes that are attached to nodes, whether a pod there uses them or not. */
export const drawnAttachments = (
  nodeNames: readonly string[],
): fc.Arbitrary<readonly { readonly nodeName: string; readonly volume: string }[]> =>
  nodeNames.length === 0
    ? fc.constant([])
    : fc.array(
        fc.record({
          nodeName: fc.constantFrom(...nodeNames),
          volume: fc.constantFrom('shop-pv-a', 'shop-pv-b', 'bank-pv-anywhere'),
        }),
        {
          maxLength: 3,
        },
      );

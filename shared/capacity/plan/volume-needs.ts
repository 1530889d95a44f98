import type {
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  Pod,
  Volume,
} from 'kubernetes-types/core/v1.d.ts';
import type { StorageClass } from 'kubernetes-types/storage/v1.d.ts';
import { identityOf } from '../../draining/pod-facts.ts';
import { claimNotFound, reasons } from './reasons.ts';
import type { AttachedVolume, VolumeNeeds } from './types.ts';

/** The volumes of a cluster. */
export interface VolumeCatalog {
  /** By `namespace/name`, with those that a StatefulSet of a manifest will make. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  readonly volumes: ReadonlyMap<string, PersistentVolume>;
  readonly classes: ReadonlyMap<string, StorageClass>;
  /** The lists that could not be read. An object that is missing from one of them may exist, and is taken to ask nothing of nodes. */
  readonly unread?: ReadonlySet<'claims' | 'volumes' | 'classes'>;
}

export const noVolumes: VolumeCatalog = { claims: new Map(), volumes: new Map(), classes: new Map() };

const none: VolumeNeeds = { nodeTerms: [], attached: [], exclusiveClaims: [] };

/** What the claims of a pod ask of its node. Volumes that are not claims, such as ConfigMaps, ask nothing. */
export function volumeNeedsOf(pod: Pod, catalog: VolumeCatalog): VolumeNeeds {
  const { namespace, name } = identityOf(pod);
  const needs = (pod.spec?.volumes ?? []).flatMap((volume) => {
    const claim = claimOf(volume, name);
    return claim === undefined ? [] : [needsOfClaim(`${namespace}/${claim.name}`, claim, catalog)];
  });
  return needs.length === 0 ? none : needs.reduce(together);
}

function together(one: VolumeNeeds, other: VolumeNeeds): VolumeNeeds {
  const claimProblem = one.claimProblem ?? other.claimProblem;
  const volumeProblem = one.volumeProblem ?? other.volumeProblem;
  return {
    nodeTerms: [...one.nodeTerms, ...other.nodeTerms],
    attached: [...one.attached, ...other.attached],
    exclusiveClaims: [...one.exclusiveClaims, ...other.exclusiveClaims],
    ...(claimProblem !== undefined && { claimProblem }),
    ...(volumeProblem !== undefined && { volumeProblem }),
  };
}

interface ClaimReference {
  readonly name: string;
  /** Of a generic ephemeral volume, whose claim is made when the pod is created. */
  readonly template?: PersistentVolumeClaimSpec;
}

function claimOf(
  { name, persistentVolumeClaim, ephemeral }: Volume,
  podName: string,
): ClaimReference | undefined {
  if (persistentVolumeClaim != null) return { name: persistentVolumeClaim.claimName };
  const template = ephemeral?.volumeClaimTemplate?.spec;
  return template && { name: `${podName}-${name}`, template };
}

function needsOfClaim(
  key: string,
  { name, template }: ClaimReference,
  { claims, volumes, classes, unread }: VolumeCatalog,
): VolumeNeeds {
  const spec = claims.get(key)?.spec ?? template;
  if (spec === undefined)
    return unread?.has('claims') ? none : { ...none, claimProblem: claimNotFound(name) };
  const exclusiveClaims = (spec.accessModes ?? []).includes('ReadWriteOncePod') ? [key] : [];
  if (spec.volumeName) {
    const volume = volumes.get(spec.volumeName);
    const unknown = unread?.has('volumes') ? none : { ...none, volumeProblem: reasons.volumeMissing };
    return { ...(volume ? needsOfVolume(volume) : unknown), exclusiveClaims };
  }
  const storageClass = classes.get(spec.storageClassName ?? defaultClassOf(classes));
  if (storageClass === undefined && unread?.has('classes')) return { ...none, exclusiveClaims };
  return { ...needsOfUnbound(key, storageClass), exclusiveClaims };
}

const defaultAnnotation = 'storageclass.kubernetes.io/is-default-class';

/** The newest default class gets claims that name none. */
function defaultClassOf(classes: VolumeCatalog['classes']): string {
  const defaults = [...classes.values()].filter(
    ({ metadata }) => metadata?.annotations?.[defaultAnnotation] === 'true',
  );
  const newest = defaults.toSorted((one, other) =>
    (other.metadata?.creationTimestamp ?? '').localeCompare(one.metadata?.creationTimestamp ?? ''),
  )[0];
  return newest?.metadata?.name ?? '';
}

/** A claim that is not bound is bound when its pod is scheduled, to a new volume in the zone of the node. */
function needsOfUnbound(key: string, storageClass: StorageClass | undefined): VolumeNeeds {
  if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer')
    return { ...none, claimProblem: reasons.unboundImmediate };
  // Volumes that people make by hand are not matched with claims here, so no node is promised to have one.
  if (storageClass.provisioner === 'kubernetes.io/no-provisioner')
    return { ...none, volumeProblem: reasons.noVolumeToBind };
  const allowed = storageClass.allowedTopologies ?? [];
  return {
    ...none,
    nodeTerms:
      allowed.length === 0 ? [] : [{ terms: allowed.map(termOfTopology), reason: reasons.noVolumeToBind }],
    attached: [{ driver: driverOf(storageClass.provisioner), id: `claim ${key}` }],
  };
}

type Topology = NonNullable<StorageClass['allowedTopologies']>[number];

const termOfTopology = ({ matchLabelExpressions }: Topology): NodeSelectorTerm => ({
  matchExpressions: (matchLabelExpressions ?? []).map(({ key, values }) => ({ key, operator: 'In', values })),
});

/** In-tree volumes of EBS are served by the CSI driver, which counts them. */
const driverOf = (provisioner: string): string =>
  provisioner === 'kubernetes.io/aws-ebs' ? 'ebs.csi.aws.com' : provisioner;

const zoneLabels: readonly string[] = [
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
];

/** A bound volume: its node affinity, the zones in its labels (several are joined with `__`), and its place in the attach limit. */
function needsOfVolume({ metadata, spec }: PersistentVolume): VolumeNeeds {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms;
  const zones = Object.entries(metadata?.labels ?? {})
    .filter(([key]) => zoneLabels.includes(key))
    .map(([key, value]) => ({ key, operator: 'In', values: value.split('__') }));
  return {
    ...none,
    nodeTerms: [
      ...(terms ? [{ terms, reason: reasons.volumeAffinity }] : []),
      ...(zones.length > 0 ? [{ terms: [{ matchExpressions: zones }], reason: reasons.volumeZone }] : []),
    ],
    attached: attachedOf(spec),
  };
}

/** The place of a volume in the attach limit of its driver; none for a volume that is not attached to nodes. */
export function attachedOf(spec: PersistentVolume['spec']): readonly AttachedVolume[] {
  if (spec?.csi != null) return [{ driver: spec.csi.driver, id: spec.csi.volumeHandle }];
  const ebs = spec?.awsElasticBlockStore;
  return ebs == null ? [] : [{ driver: driverOf('kubernetes.io/aws-ebs'), id: ebs.volumeID }];
}

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
import { claimDeleted, claimLost, claimNotFound, reasons, volumeNotFound } from './reasons.ts';
import type { AttachedVolume, Labels, VolumeNeeds, VolumeZone } from './types.ts';

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

const none: VolumeNeeds = { nodeTerms: [], zones: [], attached: [], exclusiveClaims: [], waitingClaims: [] };

/** What one claim asks, with the plugin that would give its pod up: the scheduler names the first of all claims. */
interface ClaimNeeds extends VolumeNeeds {
  readonly plugin?: number;
}

/** The checks of claims, in the order in which the scheduler makes each of them for all claims of a pod. */
const order = { exists: 0, usable: 1, bound: 2, volumeExists: 3 } as const;

const problem = (plugin: keyof typeof order, claimProblem: string): ClaimNeeds => ({
  ...none,
  claimProblem,
  plugin: order[plugin],
});

/** What the claims of a pod ask of its node. Volumes that are not claims, such as ConfigMaps, ask nothing. */
export function volumeNeedsOf(pod: Pod, catalog: VolumeCatalog): VolumeNeeds {
  const { namespace, name } = identityOf(pod);
  const needs = (pod.spec?.volumes ?? []).flatMap((volume) => {
    const claim = claimOf(volume, name);
    return claim === undefined ? [] : [needsOfClaim(`${namespace}/${claim.name}`, claim, catalog)];
  });
  if (needs.length === 0) return none;
  const first = needs
    .filter(({ claimProblem }) => claimProblem !== undefined)
    .toSorted((one, other) => (one.plugin ?? 0) - (other.plugin ?? 0))[0];
  return {
    nodeTerms: needs.flatMap(({ nodeTerms }) => nodeTerms),
    zones: needs.flatMap(({ zones }) => zones),
    attached: needs.flatMap(({ attached }) => attached),
    exclusiveClaims: needs.flatMap(({ exclusiveClaims }) => exclusiveClaims),
    waitingClaims: needs.flatMap(({ waitingClaims }) => waitingClaims),
    ...(first?.claimProblem !== undefined && { claimProblem: first.claimProblem }),
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

function needsOfClaim(key: string, reference: ClaimReference, catalog: VolumeCatalog): ClaimNeeds {
  const claim = catalog.claims.get(key);
  const spec = claim?.spec ?? reference.template;
  if (spec === undefined)
    return catalog.unread?.has('claims') ? none : problem('exists', claimNotFound(reference.name));
  const found: FoundClaim = {
    spec,
    ...(claim && { claim }),
    volume: catalog.volumes.get(spec.volumeName ?? ''),
    storageClass: catalog.classes.get(spec.storageClassName ?? defaultClassOf(catalog.classes)),
  };
  return {
    ...(whyUnusable(reference.name, claim) ?? needsOfFound(key, found, catalog)),
    exclusiveClaims: (spec.accessModes ?? []).includes('ReadWriteOncePod') ? [key] : [],
    attached: attachedOfClaim(key, found),
  };
}

interface FoundClaim {
  readonly spec: PersistentVolumeClaimSpec;
  /** Undefined for a claim that is yet to be made from a template. */
  readonly claim?: PersistentVolumeClaim;
  readonly volume: PersistentVolume | undefined;
  readonly storageClass: StorageClass | undefined;
}

function whyUnusable(name: string, claim: PersistentVolumeClaim | undefined): ClaimNeeds | undefined {
  if (claim?.status?.phase === 'Lost')
    return problem('usable', claimLost(name, claim.spec?.volumeName ?? ''));
  if (claim?.metadata?.deletionTimestamp != null) return problem('usable', claimDeleted(name));
  return undefined;
}

function needsOfFound(
  key: string,
  { spec, claim, volume, storageClass }: FoundClaim,
  { unread }: VolumeCatalog,
): ClaimNeeds {
  if (volume !== undefined) return needsOfVolume(volume);
  if (spec.volumeName)
    return unread?.has('volumes') ? none : problem('volumeExists', volumeNotFound(spec.volumeName));
  if (storageClass === undefined && unread?.has('classes')) return none;
  return needsOfUnbound(key, claim, storageClass);
}

/** The scheduler counts a claim without a volume as one of its class, whatever else is wrong with the claim. */
function attachedOfClaim(key: string, { volume, storageClass }: FoundClaim): readonly AttachedVolume[] {
  if (volume !== undefined) return attachedOf(volume.spec);
  return storageClass === undefined
    ? []
    : [{ driver: driverOf(storageClass.provisioner), id: `claim ${key}` }];
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

export const selectedNodeAnnotation = 'volume.kubernetes.io/selected-node';

/**
 * A claim that is not bound is bound when its pod is scheduled, to a new volume in the zone of the node. While its volume is made, the node of the
 * pod that asked for it is in an annotation.
 */
function needsOfUnbound(
  key: string,
  claim: PersistentVolumeClaim | undefined,
  storageClass: StorageClass | undefined,
): ClaimNeeds {
  if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer')
    return problem('bound', reasons.unboundImmediate);
  const reason = reasons.noVolumeToBind;
  // Volumes that people make by hand are not matched with claims here, so no node is promised to have one.
  const isMadeByHand = storageClass.provisioner === 'kubernetes.io/no-provisioner';
  const allowed = storageClass.allowedTopologies ?? [];
  const selected = claim?.metadata?.annotations?.[selectedNodeAnnotation];
  return {
    ...none,
    nodeTerms: [
      ...(isMadeByHand ? [{ terms: [], reason }] : []),
      ...(allowed.length > 0 ? [{ terms: allowed.map(termOfTopology), reason }] : []),
      ...(selected === undefined ? [] : [{ terms: [termOfNode(selected)], reason }]),
    ],
    waitingClaims: [key],
  };
}

const termOfNode = (name: string): NodeSelectorTerm => ({
  matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
});

type Topology = NonNullable<StorageClass['allowedTopologies']>[number];

const termOfTopology = ({ matchLabelExpressions }: Topology): NodeSelectorTerm => ({
  matchExpressions: (matchLabelExpressions ?? []).map(({ key, values }) => ({ key, operator: 'In', values })),
});

/** In-tree volumes of EBS are served by the CSI driver, which counts them. */
const driverOf = (provisioner: string): string =>
  provisioner === 'kubernetes.io/aws-ebs' ? 'ebs.csi.aws.com' : provisioner;

/** A bound volume: its node affinity, and the zones in its labels (several are joined with `__`). */
function needsOfVolume({ metadata, spec }: PersistentVolume): ClaimNeeds {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms;
  return {
    ...none,
    nodeTerms: terms ? [{ terms, reason: reasons.volumeAffinity }] : [],
    zones: Object.entries(metadata?.labels ?? {})
      .filter(([key]) => zoneLabels.has(key))
      .map(([key, value]) => ({ key, values: value.split('__') })),
  };
}

/** The place of a volume in the attach limit of its driver; none for a volume that is not attached to nodes. */
export function attachedOf(spec: PersistentVolume['spec']): readonly AttachedVolume[] {
  if (spec?.csi != null) return [{ driver: spec.csi.driver, id: spec.csi.volumeHandle }];
  const ebs = spec?.awsElasticBlockStore;
  return ebs == null ? [] : [{ driver: driverOf('kubernetes.io/aws-ebs'), id: ebs.volumeID }];
}

/** The labels of volumes and nodes that VolumeZone compares, with the one that may stand for an old one on a node. */
export const zoneLabels: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['topology.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['topology.kubernetes.io/region', 'topology.kubernetes.io/region'],
]);

/** Whether a node with these labels is where the labels of volumes say. A node without any label of a zone or a region may be anywhere. */
export function isInZones(labels: Labels, zones: readonly VolumeZone[]): boolean {
  if (![...zoneLabels.keys()].some((key) => labels[key] !== undefined)) return true;
  return zones.every(({ key, values }) => {
    const value = labels[key] ?? labels[zoneLabels.get(key) ?? key];
    return value !== undefined && values.includes(value);
  });
}

import type { Pod, PodAffinityTerm, PodSpec, TopologySpreadConstraint } from 'kubernetes-types/core/v1.d.ts';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import { daemonSetKey, daemonSetOf } from '../../draining/daemon-sets.ts';
import { type LabelRequirement, matchesLabels, requirementsOf } from '../../draining/label-selector.ts';
import { identityOf, isMirrorPod, terminatesAt } from '../../draining/pod-facts.ts';
import { hostPortsOf } from './host-ports.ts';
import { rankedRequestsOf, requestsOfPod } from './requests.ts';
import type { AffinityTerm, Labels, PlannedPod, PodSelector, SpreadConstraint } from './types.ts';
import { noVolumes, type VolumeCatalog, volumeNeedsOf } from './volume-needs.ts';

/** What the cluster has, as far as the meaning of a pod depends on it. */
export interface PodSurroundings {
  /** The labels of the namespaces by name. They are only read for a `namespaceSelector`. */
  readonly namespaces: ReadonlyMap<string, Labels>;
  readonly volumes: VolumeCatalog;
}

/** A pod by itself, in a cluster without other namespaces and volumes. */
export const emptySurroundings: PodSurroundings = { namespaces: new Map(), volumes: noVolumes };

/**
 * Compiles a pod of the cluster, or one that a manifest describes.
 *
 * @throws QuantityError for a request that is not a quantity.
 */
export function plannedPodOf(pod: Pod, surroundings: PodSurroundings): PlannedPod {
  const spec: PodSpec = pod.spec ?? { containers: [] };
  const { namespace, name } = identityOf(pod);
  const labels = pod.metadata?.labels ?? {};
  const nodeTerms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const termsOf = (terms: readonly PodAffinityTerm[] | undefined): readonly AffinityTerm[] =>
    (terms ?? []).map((term) => affinityTermOf(term, { namespace, labels }, surroundings.namespaces));
  return withShape({
    namespace,
    name,
    labels,
    requests: requestsOfPod(pod),
    rankedRequests: rankedRequestsOf(spec),
    ...(spec.nodeName && { nodeName: spec.nodeName }),
    nodeSelector: spec.nodeSelector ?? {},
    ...(nodeTerms && { nodeTerms }),
    tolerations: spec.tolerations ?? [],
    hostPorts: hostPortsOf(spec),
    podAffinity: termsOf(spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    podAntiAffinity: termsOf(spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    spread: (spec.topologySpreadConstraints ?? [])
      .filter(({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway')
      .map((constraint) => spreadConstraintOf(constraint, { namespace, labels })),
    volumes: volumeNeedsOf(pod, surroundings.volumes),
    isTerminating: terminatesAt(pod) !== undefined,
    ...comesWithNode(pod),
  });
}

function comesWithNode(pod: Pod): Pick<PlannedPod, 'comesWithNode'> {
  const daemonSet = daemonSetOf(pod);
  if (daemonSet !== undefined) return { comesWithNode: { daemonSet: daemonSetKey(daemonSet) } };
  return isMirrorPod(pod) ? { comesWithNode: 'static' } : {};
}

interface Owner {
  readonly namespace: string;
  readonly labels: Labels;
}

function affinityTermOf(
  {
    labelSelector,
    matchLabelKeys,
    mismatchLabelKeys,
    namespaces,
    namespaceSelector,
    topologyKey,
  }: PodAffinityTerm,
  { namespace, labels }: Owner,
  known: ReadonlyMap<string, Labels>,
): AffinityTerm {
  const extra = [
    ...requirementsOfKeys(matchLabelKeys, 'In', labels),
    ...requirementsOfKeys(mismatchLabelKeys, 'NotIn', labels),
  ];
  const named = new Set(namespaces ?? []);
  if (namespaceSelector == null && named.size === 0) named.add(namespace);
  const chosen = namespacesOf(namespaceSelector, named, known);
  return { selector: podSelectorOf(labelSelector, { extra, namespaces: chosen }), topologyKey };
}

/** An empty selector selects every namespace, also those that are created later. */
function namespacesOf(
  selector: LabelSelector | undefined,
  named: ReadonlySet<string>,
  known: ReadonlyMap<string, Labels>,
): ReadonlySet<string> | undefined {
  if (selector == null) return named;
  const requirements = requirementsOf(selector);
  if (requirements?.length === 0) return undefined;
  if (requirements === undefined) return named;
  const selected = [...known].filter(([, labels]) => matchesLabels(labels, requirements));
  return new Set([...named, ...selected.map(([name]) => name)]);
}

function spreadConstraintOf(
  {
    labelSelector,
    matchLabelKeys,
    maxSkew,
    minDomains,
    nodeAffinityPolicy,
    nodeTaintsPolicy,
    topologyKey,
  }: TopologySpreadConstraint,
  { namespace, labels }: Owner,
): SpreadConstraint {
  const extra = requirementsOfKeys(matchLabelKeys, 'In', labels);
  return {
    selector: podSelectorOf(labelSelector, { extra, namespaces: new Set([namespace]) }),
    topologyKey,
    maxSkew,
    minDomains: minDomains ?? 1,
    honorsNodeAffinity: nodeAffinityPolicy !== 'Ignore',
    honorsTaints: nodeTaintsPolicy === 'Honor',
  };
}

/** The keys that the pod has itself, with its values. Other keys are ignored, as in Kubernetes. */
const requirementsOfKeys = (
  keys: readonly string[] | undefined,
  operator: 'In' | 'NotIn',
  labels: Labels,
): readonly LabelRequirement[] =>
  (keys ?? []).flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });

/** A requirement that no pod meets. As in Kubernetes, a selector that is missing or invalid selects nothing. */
const nothing: readonly LabelRequirement[] = [{ key: '', operator: 'In', values: [] }];

function podSelectorOf(
  labelSelector: LabelSelector | undefined,
  {
    extra,
    namespaces,
  }: { readonly extra: readonly LabelRequirement[]; readonly namespaces: ReadonlySet<string> | undefined },
): PodSelector {
  const own = labelSelector == null ? undefined : requirementsOf(labelSelector);
  const requirements = own === undefined ? nothing : [...own, ...extra];
  const key = JSON.stringify([namespaces && [...namespaces].toSorted(), requirements]);
  return { namespaces, requirements, key };
}

/** Whether a selector of pods selects this pod. */
export const selectsPod = (
  { namespaces, requirements }: PodSelector,
  { namespace, labels }: Pick<PlannedPod, 'namespace' | 'labels'>,
): boolean => (namespaces === undefined || namespaces.has(namespace)) && matchesLabels(labels, requirements);

/** The pod with its shape, under which a placement keeps what it has found out about nodes. Pods of one shape share everything but their names. */
export function withShape({ name, ...rest }: Omit<PlannedPod, 'shape'>): PlannedPod {
  return { name, ...sharedShape({ ...rest, shape: JSON.stringify(rest, plain) }) };
}

type Shape = Omit<PlannedPod, 'name'>;

const knownShapes = new Map<string, Shape>();
/** Pods of a StatefulSet may have a shape each. */
const mostKnownShapes = 1000;

/**
 * The first of equal shapes. A plan places thousands of pods again and again: what they share stays in the processor's cache, and a string is compared
 * with itself at once, with an equal one letter by letter.
 */
function sharedShape(made: Shape): Shape {
  const known = knownShapes.get(made.shape);
  if (known !== undefined) return known;
  if (knownShapes.size >= mostKnownShapes) knownShapes.clear();
  knownShapes.set(made.shape, made);
  return made;
}

/** Maps and sets as lists. */
const plain = (_key: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value;

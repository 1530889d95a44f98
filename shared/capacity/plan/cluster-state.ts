import { createDomainCounter, type DomainCounter, type DomainCounts } from './domain-counts.ts';
import { copyNode, createNodeState, type NodeState, occupy, type WritableNodeState } from './node-state.ts';
import { selectsPod } from './pod.ts';
import type { AffinityTerm, OccupiedNode, PlannedPod, PodSelector } from './types.ts';

export type { NodeState } from './node-state.ts';

/** Pods of the cluster that are counted, by the index of their node. It changes as pods are added. */
export interface PodCounts {
  readonly byNode: readonly number[];
  /**
   * The same pods by domain.
   *
   * @param key names what `domainsOf` does, so that the same counts are kept once.
   * @param domainsOf the domains of a node: none if its pods do not count, several if it may be in each of them.
   */
  byDomain(key: string, domainsOf: (state: NodeState) => readonly string[]): DomainCounts;
}

/** A required anti-affinity term of pods that are placed, and the pods that have it. */
export interface PlacedTerm {
  readonly term: AffinityTerm;
  readonly counts: PodCounts;
}

/** A pod and the index of its node. */
export interface PlacedPod {
  readonly pod: PlannedPod;
  readonly index: number;
}

/** The nodes with their pods, while pods are placed one by one. */
export interface ClusterState {
  readonly nodes: readonly NodeState[];
  /** In the order in which they were placed, without those that a copy began with. */
  readonly placed: readonly PlacedPod[];
  /** Pods that all the selectors select. Spread constraints leave out the terminating ones. */
  countsOf(selectors: readonly PodSelector[], options?: { readonly withoutTerminating: boolean }): PodCounts;
  /** The list grows at its end as pods are placed. */
  readonly placedAntiAffinity: readonly PlacedTerm[];
  isClaimInUse(claim: string): boolean;
  /** The node of the first pod with this claim, if its volume is made for that pod. */
  nodeOfClaim(claim: string): NodeState | undefined;
  addPod(pod: PlannedPod, index: number): void;
  /** @returns the state of the node, whose pods are placed too. */
  addNode(occupied: OccupiedNode): NodeState;
  /** Takes the newest node back, with its pods. Only for a node that has no pods but its first ones. */
  removeNewestNode(): void;
  /** The same cluster, whose changes are its own. It is made much faster than a new one. */
  copy(): ClusterState;
}

/** The state at the beginning of a placement. It counts what filters ask for once, and keeps the counts up with each pod. */
export function createClusterState(occupied: readonly OccupiedNode[]): ClusterState {
  const cluster = continueFrom({
    nodes: [],
    terms: [],
    claims: new Map(),
    nodesOfClaims: new Map(),
    countsOf: () => [],
  });
  for (const node of occupied) cluster.addNode(node);
  return cluster;
}

/** What a copy begins with. */
interface Beginning {
  readonly nodes: readonly WritableNodeState[];
  readonly terms: readonly PlacedTerm[];
  readonly claims: ReadonlyMap<string, number>;
  readonly nodesOfClaims: ReadonlyMap<string, number>;
  readonly countsOf: (key: string, selects: (pod: PlannedPod) => boolean) => readonly number[];
}

function continueFrom(beginning: Beginning): ClusterState {
  const nodes = beginning.nodes.map(copyNode);
  const claims = new Map(beginning.claims);
  const nodesOfClaims = new Map(beginning.nodesOfClaims);
  const terms = new Map<string, WritableTerm>();
  const placedAntiAffinity: WritableTerm[] = [];
  const counters = new Map<string, SelectedCounts>();
  const placed: PlacedPod[] = [];
  const countersOf = rememberCounters(counters);

  const addTerm = (term: AffinityTerm, byNode: readonly number[]): WritableTerm => {
    const made = { term, counts: createCounts(nodes, byNode) };
    terms.set(keyOf(term), made);
    placedAntiAffinity.push(made);
    return made;
  };
  for (const { term, counts } of beginning.terms) addTerm(term, counts.byNode);

  const addPod = (pod: PlannedPod, index: number): void => {
    const state = nodes[index];
    if (state === undefined) throw new RangeError(`there is no node ${index}`);
    occupy(state, pod);
    placed.push({ pod, index });
    for (const { counts } of countersOf(pod)) counts.addPod(index);
    for (const term of pod.podAntiAffinity)
      (terms.get(keyOf(term)) ?? addTerm(term, [])).counts.addPod(index);
    for (const claim of pod.volumes.exclusiveClaims) claims.set(claim, (claims.get(claim) ?? 0) + 1);
    for (const claim of pod.volumes.waitingClaims)
      if (!nodesOfClaims.has(claim)) nodesOfClaims.set(claim, index);
  };

  const allCounts = (): readonly WritableCounts[] => [
    ...[...counters.values()].map(({ counts }) => counts),
    ...placedAntiAffinity.map(({ counts }) => counts),
  ];

  const addNode = (occupied: OccupiedNode): NodeState => {
    const state = createNodeState(occupied, nodes.length);
    nodes.push(state);
    for (const counts of allCounts()) counts.addNode(state);
    for (const pod of occupied.pods) addPod(pod, state.index);
    return state;
  };

  const removeNewestNode = (): void => {
    const state = nodes.pop();
    if (state === undefined) return;
    for (const counts of allCounts()) counts.removeNode(state);
    while (placed.at(-1)?.index === state.index)
      for (const claim of placed.pop()?.pod.volumes.exclusiveClaims ?? [])
        claims.set(claim, (claims.get(claim) ?? 0) - 1);
  };

  const selectedCounts = (key: string, selects: (pod: PlannedPod) => boolean): WritableCounts => {
    const known = counters.get(key)?.counts;
    if (known !== undefined) return known;
    const counts = createCounts(nodes, beginning.countsOf(key, selects));
    for (const { pod, index } of placed) if (selects(pod)) counts.addPod(index);
    counters.set(key, { selects, counts });
    return counts;
  };

  return {
    nodes,
    placed,
    countsOf: (selectors, options) => {
      const withoutTerminating = options?.withoutTerminating === true;
      const key = `${withoutTerminating} ${selectors.map((selector) => selector.key).join(' ')}`;
      const selects = (pod: PlannedPod): boolean =>
        !(withoutTerminating && pod.isTerminating) &&
        selectors.every((selector) => selectsPod(selector, pod));
      return selectedCounts(key, selects);
    },
    placedAntiAffinity,
    isClaimInUse: (claim) => (claims.get(claim) ?? 0) > 0,
    nodeOfClaim: (claim) => nodes[nodesOfClaims.get(claim) ?? -1],
    addPod,
    addNode,
    removeNewestNode,
    copy: () =>
      continueFrom({
        nodes,
        terms: placedAntiAffinity,
        claims,
        nodesOfClaims,
        countsOf: (key, selects) => selectedCounts(key, selects).byNode,
      }),
  };
}

interface SelectedCounts {
  readonly selects: (pod: PlannedPod) => boolean;
  readonly counts: WritableCounts;
}

/** Which counters count a pod is the same for all pods of a shape. */
function rememberCounters(
  counters: ReadonlyMap<string, SelectedCounts>,
): (pod: PlannedPod) => readonly SelectedCounts[] {
  let known = new Map<string, readonly SelectedCounts[]>();
  let size = 0;
  return (pod) => {
    if (size !== counters.size) known = new Map();
    size = counters.size;
    const found = known.get(pod.shape) ?? [...counters.values()].filter(({ selects }) => selects(pod));
    known.set(pod.shape, found);
    return found;
  };
}

interface WritableTerm extends PlacedTerm {
  readonly counts: WritableCounts;
}

const keyOf = ({ topologyKey, selector }: AffinityTerm): string => `${topologyKey} ${selector.key}`;

interface WritableCounts extends PodCounts {
  addPod(index: number): void;
  addNode(state: NodeState): void;
  removeNode(state: NodeState): void;
}

function createCounts(nodes: readonly NodeState[], first: readonly number[]): WritableCounts {
  const byNode = nodes.map(({ index }) => first[index] ?? 0);
  const domains = new Map<string, DomainCounter>();
  return {
    byNode,
    byDomain: (key, domainsOf) => {
      const known = domains.get(key);
      if (known !== undefined) return known;
      const counter = createDomainCounter(domainsOf);
      for (const state of nodes) counter.addNode(state, byNode[state.index] ?? 0);
      domains.set(key, counter);
      return counter;
    },
    addPod: (index) => {
      byNode[index] = (byNode[index] ?? 0) + 1;
      for (const counter of domains.values()) counter.addPod(index);
    },
    addNode: (state) => {
      byNode.push(0);
      for (const counter of domains.values()) counter.addNode(state, 0);
    },
    removeNode: (state) => {
      const count = byNode.pop() ?? 0;
      for (const counter of domains.values()) counter.removeNode(state, count);
    },
  };
}

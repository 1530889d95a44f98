import { selectsPod } from './pod.ts';
import { podsResource } from './requests.ts';
import type {
  AffinityTerm,
  Amounts,
  AttachedVolume,
  HostPort,
  OccupiedNode,
  PlannedNode,
  PlannedPod,
  PodSelector,
} from './types.ts';

/** What is taken on a node in the course of a placement. */
export interface NodeState {
  readonly index: number;
  readonly node: PlannedNode;
  readonly used: ReadonlyMap<string, number>;
  /** As `used`, with the small requests that rank nodes. */
  readonly ranked: ReadonlyMap<string, number>;
  readonly hostPorts: readonly HostPort[];
  /** Ids of the volumes of its pods, by driver. */
  readonly volumes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Volumes that were attached at the beginning, whether a pod uses them or not. */
  readonly attached: readonly AttachedVolume[];
}

/** How many pods of each node are selected, by the index of the node. It changes as pods are added. */
export type CountsByNode = readonly number[];

/** A required anti-affinity term of pods that are placed, and how many pods of each node have it. */
export interface PlacedTerm {
  readonly term: AffinityTerm;
  readonly counts: CountsByNode;
}

/** The nodes with their pods, while pods are placed one by one. */
export interface ClusterState {
  readonly nodes: readonly NodeState[];
  /** Changes whenever a node is added or taken back, so that what was found out about all nodes can be kept until then. */
  revision(): number;
  /** Pods that all the selectors select. Spread constraints leave out the terminating ones. */
  countsOf(
    selectors: readonly PodSelector[],
    options?: { readonly withoutTerminating: boolean },
  ): CountsByNode;
  placedAntiAffinity(): readonly PlacedTerm[];
  isClaimInUse(claim: string): boolean;
  /** The node of the first pod with this claim, if its volume is made for that pod. */
  nodeOfClaim(claim: string): NodeState | undefined;
  addPod(pod: PlannedPod, index: number): void;
  /** @returns the state of the node, whose pods are placed too. */
  addNode(occupied: OccupiedNode): NodeState;
  /** Takes the newest node back, with its pods. Only for a node that has no pods but its first ones. */
  removeNewestNode(): void;
}

interface Writable extends NodeState {
  readonly used: Map<string, number>;
  readonly ranked: Map<string, number>;
  readonly hostPorts: HostPort[];
  readonly volumes: Map<string, Set<string>>;
  readonly pods: PlannedPod[];
}

interface Counter {
  readonly selects: (pod: PlannedPod) => boolean;
  readonly counts: number[];
}

/** The state at the beginning of a placement. It counts what filters ask for once, and keeps the counts up with each pod. */
export function createClusterState(occupied: readonly OccupiedNode[]): ClusterState {
  const nodes: Writable[] = [];
  const counters = new Map<string, Counter>();
  const terms = new Map<string, { readonly term: AffinityTerm; readonly counts: number[] }>();
  const claims = new Map<string, number>();
  const nodesOfClaims = new Map<string, NodeState>();
  let revision = 0;

  const addPod = (pod: PlannedPod, index: number): void => {
    const state = nodes[index];
    if (state === undefined) throw new RangeError(`there is no node ${index}`);
    occupy(state, pod);
    for (const { selects, counts } of counters.values())
      if (selects(pod)) counts[index] = (counts[index] ?? 0) + 1;
    for (const term of pod.podAntiAffinity) countTerm(term, index);
    for (const claim of pod.volumes.exclusiveClaims) claims.set(claim, (claims.get(claim) ?? 0) + 1);
    for (const claim of pod.volumes.waitingClaims)
      if (!nodesOfClaims.has(claim)) nodesOfClaims.set(claim, state);
  };

  const countTerm = (term: AffinityTerm, index: number): void => {
    const key = `${term.topologyKey} ${term.selector.key}`;
    const known = terms.get(key) ?? { term, counts: nodes.map(() => 0) };
    known.counts[index] = (known.counts[index] ?? 0) + 1;
    terms.set(key, known);
  };

  const addNode = ({ node, pods, attached = [] }: OccupiedNode): NodeState => {
    const state: Writable = {
      index: nodes.length,
      node,
      used: new Map(),
      ranked: new Map(),
      hostPorts: [],
      volumes: new Map(),
      attached,
      pods: [],
    };
    nodes.push(state);
    revision += 1;
    for (const { counts } of [...counters.values(), ...terms.values()]) counts.push(0);
    for (const pod of pods) addPod(pod, state.index);
    return state;
  };

  const removeNewestNode = (): void => {
    const state = nodes.pop();
    revision += 1;
    for (const { counts } of [...counters.values(), ...terms.values()]) counts.pop();
    for (const claim of (state?.pods ?? []).flatMap(({ volumes }) => volumes.exclusiveClaims))
      claims.set(claim, (claims.get(claim) ?? 0) - 1);
  };

  const countsOf: ClusterState['countsOf'] = (selectors, options) => {
    const withoutTerminating = options?.withoutTerminating === true;
    const key = JSON.stringify([withoutTerminating, ...selectors.map((selector) => selector.key)]);
    const known = counters.get(key);
    if (known) return known.counts;
    const selects = (pod: PlannedPod): boolean =>
      !(withoutTerminating && pod.isTerminating) && selectors.every((selector) => selectsPod(selector, pod));
    const counts = nodes.map(({ pods }) => pods.filter(selects).length);
    counters.set(key, { selects, counts });
    return counts;
  };

  for (const node of occupied) addNode(node);
  return {
    nodes,
    revision: () => revision,
    countsOf,
    placedAntiAffinity: () => [...terms.values()],
    isClaimInUse: (claim) => (claims.get(claim) ?? 0) > 0,
    nodeOfClaim: (claim) => nodesOfClaims.get(claim),
    addPod,
    addNode,
    removeNewestNode,
  };
}

function occupy(state: Writable, pod: PlannedPod): void {
  add(state.used, pod.requests);
  add(state.used, onePod);
  add(state.ranked, pod.rankedRequests);
  state.hostPorts.push(...pod.hostPorts);
  state.pods.push(pod);
  for (const { driver, id } of pod.volumes.attached) volumesOf(state, driver).add(id);
}

const onePod: Amounts = new Map([[podsResource, 1]]);

function add(total: Map<string, number>, amounts: Amounts): void {
  for (const [name, amount] of amounts) total.set(name, (total.get(name) ?? 0) + amount);
}

function volumesOf({ volumes }: Writable, driver: string): Set<string> {
  const known = volumes.get(driver) ?? new Set();
  volumes.set(driver, known);
  return known;
}

import { podsResource } from './requests.ts';
import type { AttachedVolume, HostPort, OccupiedNode, PlannedNode, PlannedPod } from './types.ts';

/** What is taken on a node in the course of a placement. */
export interface NodeState {
  readonly index: number;
  readonly node: PlannedNode;
  /** How many pods it has. */
  readonly pods: number;
  /** What is left of each resource, by its name. */
  readonly left: ReadonlyMap<string, number>;
  /** What is left for the small requests that rank nodes. */
  readonly cpu: Ranked;
  readonly memory: Ranked;
  readonly hostPorts: readonly HostPort[];
  /** Ids of the volumes of its pods, by driver. */
  readonly volumes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Volumes that were attached at the beginning, whether a pod uses them or not. */
  readonly attached: readonly AttachedVolume[];
}

/** A resource by which nodes are ranked. */
interface Ranked {
  readonly allocatable: number;
  readonly left: number;
}

/** A state that `occupy` changes. */
export interface WritableNodeState extends NodeState {
  pods: number;
  readonly left: Map<string, number>;
  readonly cpu: { readonly allocatable: number; left: number };
  readonly memory: { readonly allocatable: number; left: number };
  readonly hostPorts: HostPort[];
  readonly volumes: Map<string, Set<string>>;
}

/** A node without pods. */
export function createNodeState({ node, attached = [] }: OccupiedNode, index: number): WritableNodeState {
  const ranked = (name: string): { readonly allocatable: number; left: number } => {
    const allocatable = node.allocatable.get(name) ?? 0;
    return { allocatable, left: allocatable };
  };
  return {
    index,
    node,
    pods: 0,
    left: new Map(node.allocatable),
    cpu: ranked('cpu'),
    memory: ranked('memory'),
    hostPorts: [],
    volumes: new Map(),
    attached,
  };
}

export const copyNode = (state: WritableNodeState): WritableNodeState => ({
  ...state,
  left: new Map(state.left),
  cpu: { ...state.cpu },
  memory: { ...state.memory },
  hostPorts: [...state.hostPorts],
  volumes: new Map([...state.volumes].map(([driver, ids]) => [driver, new Set(ids)])),
});

/** Puts a pod on the node. */
export function occupy(state: WritableNodeState, pod: PlannedPod): void {
  state.pods += 1;
  take(state.left, podsResource, 1);
  for (const [name, amount] of pod.requests) take(state.left, name, amount);
  state.cpu.left -= pod.rankedRequests.get('cpu') ?? 0;
  state.memory.left -= pod.rankedRequests.get('memory') ?? 0;
  state.hostPorts.push(...pod.hostPorts);
  for (const { driver, id } of pod.volumes.attached) {
    const known = state.volumes.get(driver) ?? new Set();
    state.volumes.set(driver, known.add(id));
  }
}

function take(left: Map<string, number>, name: string, amount: number): void {
  left.set(name, (left.get(name) ?? 0) - amount);
}

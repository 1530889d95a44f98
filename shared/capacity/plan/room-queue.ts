import type { Rules } from './candidates.ts';
import type { ClusterState, NodeState } from './cluster-state.ts';

/** Finds the node with the most room for pods of one shape, while pods of all shapes are added. */
export interface RoomQueue {
  /** The node with the most room that the rules allow now; the first added if several have the most. */
  best(): NodeState | undefined;
  add(state: NodeState): void;
}

/**
 * The rooms of the nodes, corrected for the pods that were placed since the last question. A node without room for the shape never has room again and is
 * left out for good. Nodes that are refused for a while wait outside.
 */
export function createRoomQueue(
  { roomOf, hasRoom, changing }: Omit<Rules, 'mayTake'>,
  { nodes, placed }: Pick<ClusterState, 'nodes' | 'placed'>,
): RoomQueue {
  const rooms = createRooms(nodes.length);
  let corrected = placed.length;
  let waiting: NodeState[] = [];
  let version = '';
  const add = (state: NodeState): void => rooms.set(state.index, roomOf(state));
  const correct = (): void => {
    for (; corrected < placed.length; corrected += 1) {
      const state = nodes[placed[corrected]?.index ?? -1];
      if (state !== undefined && rooms.has(state.index)) add(state);
    }
  };
  const endWaiting = (): void => {
    const current = changing?.version() ?? '';
    if (current === version) return;
    version = current;
    for (const state of waiting) add(state);
    waiting = [];
  };
  const mostRoom = (): NodeState | undefined => nodes[rooms.most() ?? -1];
  const best = (): NodeState | undefined => {
    correct();
    endWaiting();
    for (let state = mostRoom(); state !== undefined; state = mostRoom()) {
      const fits = hasRoom(state);
      if (fits && (changing === undefined || changing.allows(state))) return state;
      if (fits) waiting.push(state);
      rooms.remove(state.index);
    }
    return undefined;
  };
  return { best, add };
}

/** Numbers by index. The largest of them is known. */
interface Rooms {
  has(index: number): boolean;
  set(index: number, room: number): void;
  remove(index: number): void;
  /** The index of the largest number, the lowest one if several are the largest; undefined without numbers. */
  most(): number | undefined;
}

/** Less than any room. */
const absent = -1;

/**
 * A binary tree in a list. Entry 1 is the root, and the children of entry n are the entries 2n and 2n + 1. The last level has the numbers by index, and
 * each entry above has the larger of its children. A change ends at the first entry that stays the same. A plan spends most of its time here: there is a
 * queue for each shape, and each of them has to follow all pods.
 */
function createRooms(count: number): Rooms {
  let width = 2 ** Math.ceil(Math.log2(count + 1));
  let tree = new Float64Array(2 * width).fill(absent);
  const set = (index: number, room: number): void => {
    if (index >= width) widen();
    let at = width + index;
    tree[at] = room;
    for (let most = room; at > 1; tree[at] = most) {
      most = Math.max(most, tree[at ^ 1] ?? absent);
      at >>= 1;
      if (tree[at] === most) return;
    }
  };
  /** Nodes are added one by one. */
  const widen = (): void => {
    const before = tree.subarray(width);
    width *= 2;
    tree = new Float64Array(2 * width).fill(absent);
    for (const [index, room] of before.entries()) set(index, room);
  };
  return {
    has: (index) => index < width && tree[width + index] !== absent,
    set,
    remove: (index) => set(index, absent),
    most: () => {
      const most = tree[1];
      if (most === absent) return undefined;
      let at = 1;
      while (at < width) at = tree[2 * at] === most ? 2 * at : 2 * at + 1;
      return at - width;
    },
  };
}

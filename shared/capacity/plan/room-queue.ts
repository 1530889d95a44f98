import type { Rules } from './candidates.ts';
import type { NodeState } from './cluster-state.ts';

/** Finds the node with the most room for pods of one shape, while pods of all shapes are added. */
export interface RoomQueue {
  /** The node with the most room that the rules allow now; the first added if several have the most. */
  best(): NodeState | undefined;
  add(state: NodeState): void;
}

/**
 * A heap whose nodes are moved when they come to the top. Room only gets less in the course of a placement: a node at the top whose room is up to date
 * has the most of all, and a node without room for the shape never has room again. Nodes that are refused for a while wait beside the heap.
 */
export function createRoomQueue({ roomOf, hasRoom, changing }: Omit<Rules, 'mayTake'>): RoomQueue {
  const heap = createHeap();
  /** By the index of the node. */
  const states: NodeState[] = [];
  /** The number of pods at which the room of a node was computed, by the index of the node. */
  const podsThen: number[] = [];
  let waiting: NodeState[] = [];
  let version = '';
  const roomNow = (state: NodeState): number => {
    podsThen[state.index] = state.pods;
    return roomOf(state);
  };
  const add = (state: NodeState): void => {
    states[state.index] = state;
    heap.push(state.index, roomNow(state));
  };
  const endWaiting = (): void => {
    const current = changing?.version() ?? '';
    if (current === version) return;
    version = current;
    for (const state of waiting) add(state);
    waiting = [];
  };
  const topState = (): NodeState | undefined => states[heap.top() ?? -1];
  const best = (): NodeState | undefined => {
    endWaiting();
    for (let top = topState(); top !== undefined; top = topState()) {
      if (!hasRoom(top)) heap.removeTop();
      else if (podsThen[top.index] !== top.pods) heap.moveTop(roomNow(top));
      else if (changing === undefined || changing.allows(top)) return top;
      else {
        waiting.push(top);
        heap.removeTop();
      }
    }
    return undefined;
  };
  return { best, add };
}

/** Nodes are known by their index. The one with the most room comes first; of those with the same room, the one with the lowest index. */
interface Heap {
  /** The index of the first node; undefined if there is none. */
  top(): number | undefined;
  push(index: number, room: number): void;
  /** Gives the first node another room. */
  moveTop(room: number): void;
  removeTop(): void;
}

/** Only numbers are compared and moved, in two lists: this is what a plan spends most of its time on. */
function createHeap(): Heap {
  const indexes: number[] = [];
  const rooms: number[] = [];
  /** What is at no place comes last. */
  const isBefore = (at: number, index: number, room: number): boolean => {
    const other = rooms[at] ?? Number.NEGATIVE_INFINITY;
    return other > room || (other === room && (indexes[at] ?? 0) < index);
  };
  const put = (at: number, index: number, room: number): void => {
    indexes[at] = index;
    rooms[at] = room;
  };
  const copy = (from: number, to: number): void => put(to, indexes[from] ?? 0, rooms[from] ?? 0);
  const sink = (index: number, room: number): void => {
    const count = rooms.length;
    let at = 0;
    for (let child = 1; child < count; child = 2 * at + 1) {
      const right = child + 1;
      if (right < count && isBefore(right, indexes[child] ?? 0, rooms[child] ?? 0)) child = right;
      if (!isBefore(child, index, room)) break;
      copy(child, at);
      at = child;
    }
    put(at, index, room);
  };
  return {
    top: () => indexes[0],
    push: (index, room) => {
      let at = rooms.length;
      while (at > 0 && !isBefore((at - 1) >> 1, index, room)) {
        copy((at - 1) >> 1, at);
        at = (at - 1) >> 1;
      }
      put(at, index, room);
    },
    moveTop: (room) => {
      const [index] = indexes;
      if (index !== undefined) sink(index, room);
    },
    removeTop: () => {
      const [index, room] = [indexes.pop(), rooms.pop()];
      if (index !== undefined && room !== undefined && rooms.length > 0) sink(index, room);
    },
  };
}

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
  /** The number of pods at which the room of a node was computed, by the index of the node. */
  const podsThen: number[] = [];
  let waiting: NodeState[] = [];
  let version = '';
  const roomNow = (state: NodeState): number => {
    podsThen[state.index] = state.pods;
    return roomOf(state);
  };
  const add = (state: NodeState): void => heap.push(state, roomNow(state));
  const endWaiting = (): void => {
    const current = changing?.version() ?? '';
    if (current === version) return;
    version = current;
    for (const state of waiting) add(state);
    waiting = [];
  };
  const best = (): NodeState | undefined => {
    endWaiting();
    for (let top = heap.top(); top !== undefined; top = heap.top()) {
      if (podsThen[top.index] !== top.pods) heap.moveTop(roomNow(top));
      else if (!hasRoom(top)) heap.removeTop();
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

/** The nodes with the most room come first; of those with the same room, the one that was added first. */
interface Heap {
  top(): NodeState | undefined;
  push(state: NodeState, room: number): void;
  /** Gives the first node another room. */
  moveTop(room: number): void;
  removeTop(): void;
}

/** Nodes and their rooms are in two lists, because objects for both would cost more than all the rest of a placement. */
function createHeap(): Heap {
  const states: NodeState[] = [];
  const rooms: number[] = [];
  const isBefore = (at: number, state: NodeState, room: number): boolean => {
    const [other, otherRoom] = [states[at], rooms[at]];
    if (other === undefined || otherRoom === undefined) return false;
    return otherRoom > room || (otherRoom === room && other.index < state.index);
  };
  const put = (at: number, state: NodeState, room: number): void => {
    states[at] = state;
    rooms[at] = room;
  };
  const copy = (from: number, to: number): void => {
    const [state, room] = [states[from], rooms[from]];
    if (state !== undefined && room !== undefined) put(to, state, room);
  };
  const sink = (state: NodeState, room: number): void => {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [second, secondRoom] = [states[left + 1], rooms[left + 1]];
      const isRight = second !== undefined && secondRoom !== undefined && !isBefore(left, second, secondRoom);
      const child = isRight ? left + 1 : left;
      if (!isBefore(child, state, room)) break;
      copy(child, at);
      at = child;
    }
    put(at, state, room);
  };
  return {
    top: () => states[0],
    push: (state, room) => {
      let at = states.length;
      while (at > 0 && !isBefore((at - 1) >> 1, state, room)) {
        copy((at - 1) >> 1, at);
        at = (at - 1) >> 1;
      }
      put(at, state, room);
    },
    moveTop: (room) => {
      const [state] = states;
      if (state !== undefined) sink(state, room);
    },
    removeTop: () => {
      const [state, room] = [states.pop(), rooms.pop()];
      if (state !== undefined && room !== undefined && states.length > 0) sink(state, room);
    },
  };
}

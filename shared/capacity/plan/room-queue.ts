import type { NodeState } from './cluster-state.ts';
import { podsResource } from './requests.ts';

/** Finds the node with the most room for pods of one shape, while pods of all shapes are added. */
export interface RoomQueue {
  /** The node with the most room among those that have room and are accepted; the first added if several have the most. */
  best(accepts: (state: NodeState) => boolean): NodeState | undefined;
  add(state: NodeState): void;
}

interface Entry {
  readonly state: NodeState;
  /** The room that the node had with so many pods. It has no more now, because no pod leaves. */
  readonly room: number;
  readonly pods: number;
}

/**
 * A heap whose entries are corrected when they come to the top. Room only gets less in the course of a placement: an entry that is right, and at the
 * top, is the best of all, and a node without room for the shape never has room again.
 */
export function createRoomQueue({
  roomOf,
  fits,
}: {
  readonly roomOf: (state: NodeState) => number;
  readonly fits: (state: NodeState) => boolean;
}): RoomQueue {
  const heap: Entry[] = [];
  const entryOf = (state: NodeState): Entry => ({ state, room: roomOf(state), pods: podsOn(state) });
  const push = (entry: Entry): void => {
    heap.push(entry);
    rise(heap);
  };
  const best = (accepts: (state: NodeState) => boolean): NodeState | undefined => {
    const refused: Entry[] = [];
    let found: NodeState | undefined;
    for (let top = heap[0]; top !== undefined && found === undefined; top = heap[0]) {
      if (!fits(top.state)) removeTop(heap);
      else if (top.pods !== podsOn(top.state)) {
        heap[0] = entryOf(top.state);
        sink(heap);
      } else if (accepts(top.state)) found = top.state;
      else {
        refused.push(top);
        removeTop(heap);
      }
    }
    for (const entry of refused) push(entry);
    return found;
  };
  return { best, add: (state) => push(entryOf(state)) };
}

const podsOn = ({ used }: NodeState): number => used.get(podsResource) ?? 0;

const isBefore = (one: Entry, other: Entry): boolean =>
  one.room > other.room || (one.room === other.room && one.state.index < other.state.index);

function removeTop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  sink(heap);
}

function rise(heap: Entry[]): void {
  for (let index = heap.length - 1; index > 0; ) {
    const parent = (index - 1) >> 1;
    if (!swapUnlessOrdered(heap, parent, index)) return;
    index = parent;
  }
}

function sink(heap: Entry[]): void {
  for (let index = 0; ; ) {
    const left = 2 * index + 1;
    const [first, second] = [heap[left], heap[left + 1]];
    if (first === undefined) return;
    const child = second !== undefined && isBefore(second, first) ? left + 1 : left;
    if (!swapUnlessOrdered(heap, index, child)) return;
    index = child;
  }
}

/** Swaps the two if the child comes first. */
function swapUnlessOrdered(heap: Entry[], parent: number, child: number): boolean {
  const [above, below] = [heap[parent], heap[child]];
  if (above === undefined || below === undefined || !isBefore(below, above)) return false;
  heap[parent] = below;
  heap[child] = above;
  return true;
}

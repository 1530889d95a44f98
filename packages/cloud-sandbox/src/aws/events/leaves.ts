import { isRecord, type Json, type JsonRecord } from './json.ts';

/** A single value of an event: no object, no list. */
export type LeafValue = string | number | boolean | null;

/** By the number of a list in the event: the element that has the value. */
export type Places = ReadonlyMap<number, number>;

export interface Leaf {
  readonly value: LeafValue;
  readonly places: Places;
}

/** The values of an event by the names of the fields that lead to them, joined by dots as in EventBridge. */
export type Leaves = ReadonlyMap<string, readonly Leaf[]>;

interface Collected {
  readonly leaves: Map<string, Leaf[]>;
  /** How many lists were met. */
  lists: number;
}

interface Spot {
  readonly path: string;
  readonly places: Places;
}

/** All values of an event. The values of a list are values of its field, and values of objects in it know their element. */
export function leavesOf(event: Json | undefined): Leaves {
  const collected: Collected = { leaves: new Map(), lists: 0 };
  if (isRecord(event)) collectFields(collected, { path: '', places: new Map() }, event);
  return collected.leaves;
}

function collect(collected: Collected, spot: Spot, value: Json): void {
  if (isRecord(value)) return collectFields(collected, spot, value);
  if (isList(value)) return collectItems(collected, spot, value);
  const known = collected.leaves.get(spot.path) ?? [];
  known.push({ value, places: spot.places });
  collected.leaves.set(spot.path, known);
}

function collectFields(collected: Collected, { path, places }: Spot, record: JsonRecord): void {
  for (const [name, value] of Object.entries(record))
    collect(collected, { path: joinPath(path, name), places }, value);
}

function collectItems(collected: Collected, { path, places }: Spot, list: readonly Json[]): void {
  const id = collected.lists;
  collected.lists += 1;
  list.forEach((item, index) => {
    const isLeaf = !isRecord(item) && !isList(item);
    collect(collected, { path, places: isLeaf ? places : new Map([...places, [id, index]]) }, item);
  });
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

export const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The places of two values together; undefined if they are in different elements of one list. */
export function together(some: Places, others: Places): Places | undefined {
  for (const [list, index] of others) if ((some.get(list) ?? index) !== index) return undefined;
  return others.size === 0 ? some : new Map([...some, ...others]);
}

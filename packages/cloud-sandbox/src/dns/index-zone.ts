import type { RecordSets, StoredSet } from '../aws/route53/model.ts';

/** The sets of a zone by their names, and every name that exists: also one that only has names under it. */
export interface ZoneIndex {
  readonly at: (name: string) => readonly StoredSet[];
  readonly exists: (name: string) => boolean;
}

const known = new WeakMap<RecordSets, ZoneIndex>();

/** Sets that a plain name server can answer: aliases and routing policies need more than the zone. */
const isPlain = ({ setIdentifier, values }: StoredSet): boolean =>
  setIdentifier === undefined && values.length > 0;

/** `zoneName` ends the climb; names are Route 53's: lower case, a dot at the end. */
export function indexZone(sets: RecordSets, zoneName: string): ZoneIndex {
  const before = known.get(sets);
  if (before) return before;
  const byName = new Map<string, StoredSet[]>();
  const existing = new Set<string>([zoneName]);
  for (const set of sets.values()) {
    for (let name = set.name; !existing.has(name); name = parentOf(name)) existing.add(name);
    if (isPlain(set)) byName.set(set.name, [...(byName.get(set.name) ?? []), set]);
  }
  const index: ZoneIndex = {
    at: (name) => byName.get(name) ?? [],
    exists: (name) => existing.has(name),
  };
  known.set(sets, index);
  return index;
}

/** `example.com.` of `www.example.com.` */
export const parentOf = (name: string): string => name.slice(name.indexOf('.') + 1);

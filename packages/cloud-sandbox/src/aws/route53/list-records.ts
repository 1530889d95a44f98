import type { ListResourceRecordSetsRequest } from '@aws-sdk/client-route-53';
import { constraint, route53Errors } from './errors.ts';
import type { RecordSets, StoredSet, Zone } from './model.ts';
import { compareText, normalizeName, reversed } from './names.ts';
import { presentSet } from './record-set.ts';

const maximumItems = 300;

type Place = readonly [name: string, type: string, identifier: string];

const placeOf = ({ name, type, setIdentifier = '' }: StoredSet): Place => [
  reversed(name),
  type,
  setIdentifier,
];

const comparePlaces = (one: Place, other: Place): number =>
  compareText(one[0], other[0]) || compareText(one[1], other[1]) || compareText(one[2], other[2]);

const sortedSets = new WeakMap<RecordSets, readonly (readonly [Place, StoredSet])[]>();

/** By reversed name, type and identifier; the order of one state of a zone is looked for once. */
function inOrder(sets: RecordSets): readonly (readonly [Place, StoredSet])[] {
  const known = sortedSets.get(sets);
  if (known) return known;
  const sorted = [...sets.values()]
    .map((set) => [placeOf(set), set] as const)
    .sort(([one], [other]) => comparePlaces(one, other));
  sortedSets.set(sets, sorted);
  return sorted;
}

/** ListResourceRecordSets: from the place that is asked for, at most 300. */
export function listRecordSets(zone: Zone, input: ListResourceRecordSetsRequest) {
  const size = sizeOf(input.MaxItems);
  const start = startOf(input);
  const all = inOrder(zone.sets);
  const first = start ? all.findIndex(([place]) => comparePlaces(place, start) >= 0) : 0;
  const from = first < 0 ? all.length : first;
  const next = all[from + size]?.[1];
  return {
    ResourceRecordSets: all.slice(from, from + size).map(([, set]) => presentSet(set)),
    IsTruncated: next !== undefined,
    MaxItems: size,
    ...(next && {
      NextRecordName: next.name,
      NextRecordType: next.type,
      ...(next.setIdentifier !== undefined && { NextRecordIdentifier: next.setIdentifier }),
    }),
  };
}

function sizeOf(asked: number | undefined): number {
  if (asked !== undefined && !(asked >= 1))
    throw constraint(asked, 'maxItems', 'have value greater than or equal to 1');
  return Math.min(asked ?? maximumItems, maximumItems);
}

function startOf(input: ListResourceRecordSetsRequest): Place | undefined {
  const { StartRecordName: name, StartRecordType: type, StartRecordIdentifier: identifier } = input;
  if (name === undefined && type !== undefined)
    throw route53Errors.invalidInput('The input is not valid: a type needs a name');
  if (type === undefined && identifier !== undefined)
    throw route53Errors.invalidInput('The input is not valid: an identifier needs a name and a type');
  return name === undefined ? undefined : [reversed(normalizeName(name)), type ?? '', identifier ?? ''];
}

import type { RecordSets, StoredSet } from './model.ts';
import type { ReadChange } from './record-set.ts';

/** What no zone may come to hold, whatever was asked for (RFC 1034, section 3.6.2; developer guide, "SOA and NS records"). */
export function zoneProblems(
  sets: RecordSets,
  changes: readonly ReadChange[],
  zoneName: string,
): readonly string[] {
  const names = new Set(changes.map(({ set }) => set.name));
  const touched = new Map<string, StoredSet[]>([...names].map((name) => [name, []]));
  for (const set of sets.values()) touched.get(set.name)?.push(set);
  return [
    ...[...touched.values()].flatMap((sameName) => aliasProblems(sameName, { changes, zoneName })),
    ...(names.has(zoneName) ? apexProblems(touched.get(zoneName) ?? [], zoneName) : []),
  ];
}

/** A name with a CNAME has no other set, and sets of one name and type either all have an identifier or are one. */
function aliasProblems(
  sets: readonly StoredSet[],
  { changes, zoneName }: { readonly changes: readonly ReadChange[]; readonly zoneName: string },
): readonly string[] {
  const cname = sets.find(({ type }) => type === 'CNAME');
  const other = sets.find(({ type }) => type !== 'CNAME');
  const mixed = sets.find(
    (one) =>
      one.setIdentifier === undefined &&
      sets.some(({ type, setIdentifier }) => type === one.type && setIdentifier !== undefined),
  );
  if (cname?.name === zoneName)
    return [`RRSet of type CNAME with DNS name ${zoneName} is not permitted at apex in zone ${zoneName}`];
  if (cname && other) {
    const isNew = changes.some(({ set }) => set.name === cname.name && set.type === 'CNAME');
    return isNew
      ? [
          `RRSet of type CNAME with DNS name ${cname.name} is not permitted as it conflicts with other records with the same DNS name in zone ${zoneName}`,
        ]
      : [
          `RRSet of type ${other.type} with DNS name ${cname.name} is not permitted because a conflicting RRSet of type  CNAME with the same DNS name already exists in zone ${zoneName}`,
        ];
  }
  return mixed
    ? [
        `RRSet with DNS name ${mixed.name}, type ${mixed.type} cannot be created because a non multivalue answer rrset exists with the same name and type.`,
      ]
    : [];
}

function apexProblems(sets: readonly StoredSet[], zoneName: string): readonly string[] {
  const at = (type: string) => sets.filter((set) => set.name === zoneName && set.type === type);
  const soa = at('SOA');
  return [
    ...(soa.length === 1 && soa[0]?.values.length === 1
      ? []
      : ['A HostedZone must contain exactly one SOA record.']),
    ...(at('NS').length > 0 ? [] : ['A HostedZone must contain at least one NS record for the zone itself.']),
  ];
}

import type { Answer, Question } from 'dns-packet';
import type { StoredSet } from '../aws/route53/model.ts';
import { isInZone, normalizeName } from '../aws/route53/names.ts';
import type { ServedZone } from '../aws/route53/route53.ts';
import { indexZone, parentOf, type ZoneIndex } from './index-zone.ts';
import { recordsOf, wireName } from './records.ts';

export interface Resolution {
  readonly rcode: 'NOERROR' | 'NXDOMAIN' | 'REFUSED';
  /** Whether the zone itself speaks, and not one that it hands on to. */
  readonly authoritative: boolean;
  readonly answers: readonly Answer[];
  readonly authorities: readonly Answer[];
}

const refused: Resolution = { rcode: 'REFUSED', authoritative: false, answers: [], authorities: [] };

/** A chain of aliases that is longer turns in a circle. */
const maximumAliases = 8;

/**
 * What the name servers of these zones answer (RFC 1034, section 4.3.2; wildcards as in RFC 4592; RFC 2308 for what is not
 * there). Aliases are followed from zone to zone, as the resolver of a VPC does for its clients.
 */
export function resolve(zones: readonly ServedZone[], question: Question): Resolution {
  const { type, class: kind = 'IN' } = question;
  if (kind !== 'IN' || type === 'AXFR' || type === 'IXFR') return refused;
  const answers: Answer[] = [];
  let owner = question.name;
  for (let hops = 0; ; hops += 1) {
    const zone = zoneOf(zones, normalizeName(owner));
    if (!zone) return hops === 0 ? refused : answered(answers);
    const found = lookUp(zone, { owner, type });
    answers.push(...found.answers);
    const alias = type === 'CNAME' || hops === maximumAliases ? undefined : aliasIn(found.answers);
    if (alias === undefined) return { ...found, answers };
    owner = alias;
  }
}

const answered = (answers: readonly Answer[]): Resolution => ({
  rcode: 'NOERROR',
  authoritative: true,
  answers,
  authorities: [],
});

const aliasIn = ([first]: readonly Answer[]): string | undefined =>
  first?.type === 'CNAME' ? first.data : undefined;

/** The zone with the longest name; a private one hides the public one of its name. */
const zoneOf = (zones: readonly ServedZone[], name: string): ServedZone | undefined =>
  zones
    .filter((zone) => isInZone(name, zone.name))
    .sort(
      (one, other) => other.name.length - one.name.length || Number(other.isPrivate) - Number(one.isPrivate),
    )[0];

interface Wanted {
  readonly owner: string;
  readonly type: Question['type'];
}

function lookUp(zone: ServedZone, { owner, type }: Wanted): Resolution {
  const index = indexZone(zone.sets, zone.name);
  const name = normalizeName(owner);
  const delegation = delegationOf(index, { name, zoneName: zone.name });
  if (delegation) {
    const authorities = recordsOf(delegation, wireName(delegation.name));
    return { rcode: 'NOERROR', authoritative: false, answers: [], authorities };
  }
  const sets = setsFor(index, name);
  const matching = sets?.filter(
    (set) => set.type === type || set.type === 'CNAME' || type === ('ANY' as string),
  );
  const answers = (matching ?? []).flatMap((set) => recordsOf(set, owner));
  if (answers.length > 0) return answered(answers);
  const rcode = sets ? 'NOERROR' : 'NXDOMAIN';
  return { rcode, authoritative: true, answers, authorities: startOfAuthority(index, zone.name) };
}

/** The sets at a name or, where the name does not exist, those of the wildcard that covers it; undefined: there is no such name. */
function setsFor(index: ZoneIndex, name: string): readonly StoredSet[] | undefined {
  if (index.exists(name)) return index.at(name);
  let encloser = parentOf(name);
  while (!index.exists(encloser)) encloser = parentOf(encloser);
  const wildcard = `\\052.${encloser}`;
  return index.exists(wildcard) ? index.at(wildcard) : undefined;
}

/** The NS set below the apex, nearest to it, that hands a name on to other servers. */
function delegationOf(
  index: ZoneIndex,
  { name, zoneName }: { readonly name: string; readonly zoneName: string },
): StoredSet | undefined {
  let found: StoredSet | undefined;
  for (let at = name; at !== zoneName; at = parentOf(at))
    found = index.at(at).find(({ type }) => type === 'NS') ?? found;
  return found;
}

/** For how long a name may be taken for absent: the lower of the SOA's TTL and its last field. */
function startOfAuthority(index: ZoneIndex, zoneName: string): readonly Answer[] {
  const set = index.at(zoneName).find(({ type }) => type === 'SOA');
  return (set ? recordsOf(set, wireName(zoneName)) : []).flatMap((record) =>
    record.type === 'SOA' ? [{ ...record, ttl: Math.min(record.ttl ?? 0, record.data.minimum ?? 0) }] : [],
  );
}

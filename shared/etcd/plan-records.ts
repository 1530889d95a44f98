import { findHostMarks, findZoneMark } from './mark.ts';
import { type EtcdNaming, instanceOfHost, markName, memberHost, srvServices } from './names.ts';
import type { EtcdObservation } from './observe.ts';
import { hostOf, type Publication, recordsOf } from './records.ts';
import type { DnsRecord, ForeignRecord, RecordChange, ZoneContent } from './zone.ts';

/** The owner of the records that a plan may change. */
export interface RecordOwner {
  readonly clusterName: string;
  readonly naming: EtcdNaming;
}

/** A record that Drover did not make, under a name that Drover needs. */
export interface RecordConflict {
  readonly name: string;
  readonly type: string;
  readonly why: string;
}

export interface RecordPlan {
  /** One batch; empty if nothing differs or there are conflicts. */
  readonly changes: readonly RecordChange[];
  readonly conflicts: readonly RecordConflict[];
  /** Other records under the domain that Drover did not make: reported and left alone. */
  readonly foreign: readonly ForeignRecord[];
}

/**
 * Plans the changes from the zone to a publication. The mark's time changes only together with another record, so planning
 * again over the result yields no change. It always grows, so it identifies the change that wrote it.
 */
export function planPublication(
  observation: Pick<EtcdObservation, 'zone' | 'now'>,
  publication: Omit<Publication, 'changedAt'>,
): { readonly plan: RecordPlan; readonly changedAt: number } {
  const changedAt = changedAtIn(observation, publication.naming);
  const still = planRecords(observation.zone, recordsOf({ ...publication, changedAt }), publication);
  if (still.changes.length === 0) return { plan: still, changedAt };
  const now = Math.max(Math.floor(observation.now / 1000), changedAt + 1);
  return {
    plan: planRecords(observation.zone, recordsOf({ ...publication, changedAt: now }), publication),
    changedAt: now,
  };
}

/** When Drover last changed the domain, in epoch seconds; 0 if it has no mark there. */
export function changedAtIn({ zone }: Pick<EtcdObservation, 'zone'>, naming: EtcdNaming): number {
  const mark = findZoneMark(zone.records, naming);
  return typeof mark === 'object' ? mark.changedAt : 0;
}

/**
 * Plans the changes from the current records of a domain to the desired ones. Each set that differs is deleted exactly as it is
 * and created again, so the batch is a compare-and-swap. Pure; planning again over the result yields no change.
 */
export function planRecords(
  current: ZoneContent,
  desired: readonly DnsRecord[],
  owner: RecordOwner,
): RecordPlan {
  const owned = ownedKeys(current.records, owner);
  const wanted = new Map(desired.map((record) => [keyOf(record), record]));
  const existing = new Map(current.records.map((record) => [keyOf(record), record]));
  const conflicts = [
    ...ownerConflict(current.records, owner),
    ...[...wanted.keys()].flatMap((key) => unmarkedConflict(existing.get(key), owned)),
    ...current.foreign.flatMap((record) => foreignConflict(record, wanted)),
  ];
  const foreign = [
    ...current.records.filter((record) => !owned.has(keyOf(record)) && !wanted.has(keyOf(record))),
    ...current.foreign,
  ].map(({ name, type }) => ({ name, type }));
  if (conflicts.length > 0) return { changes: [], conflicts, foreign };
  const stale = current.records.filter((record) => {
    const next = wanted.get(keyOf(record));
    return owned.has(keyOf(record)) && !(next && isSame(next, record));
  });
  const fresh = desired.filter((record) => {
    const now = existing.get(keyOf(record));
    return !(now && isSame(now, record));
  });
  return {
    changes: [
      ...stale.map((record) => ({ action: 'delete' as const, record })),
      ...fresh.map((record) => ({ action: 'create' as const, record })),
    ],
    conflicts: [],
    foreign,
  };
}

/**
 * The sets that have Drover's mark, or that the mark names. If the mark of the domain is lost, the sets under Drover's names that
 * point only to hosts with its mark.
 */
function ownedKeys(records: readonly DnsRecord[], { clusterName, naming }: RecordOwner): ReadonlySet<string> {
  const mark = findZoneMark(records, naming);
  const isOurs = typeof mark === 'object' && mark.clusterName === clusterName;
  const hosts = findHostMarks(records, naming);
  const named = new Set(
    isOurs
      ? [markName(naming), naming.domain, ...mark.srvLabels.map((label) => `${label}.${naming.domain}`)]
      : mark === undefined
        ? namesWithoutMark(records, { clusterName, naming })
        : [],
  );
  const isOwned = ({ name, type }: DnsRecord): boolean => {
    const instanceId = instanceOfHost(name, naming);
    if (instanceId) return hosts.get(instanceId)?.clusterName === clusterName && type !== 'SRV';
    if (name === naming.domain) return named.has(name) && (type === 'A' || type === 'AAAA');
    return named.has(name) && (type === 'SRV' || type === 'TXT');
  };
  return new Set(records.filter(isOwned).map(keyOf));
}

function namesWithoutMark(
  records: readonly DnsRecord[],
  { clusterName, naming }: RecordOwner,
): readonly string[] {
  const ours = [...findHostMarks(records, naming).values()].filter(
    (mark) => mark.clusterName === clusterName,
  );
  const hosts = new Set(ours.map(({ instanceId }) => memberHost(instanceId, naming)));
  const addresses = new Set(
    records.flatMap(({ name, type, values }) =>
      hosts.has(name) && (type === 'A' || type === 'AAAA') ? values : [],
    ),
  );
  const services = new Set(srvServices(naming).map(({ name }) => name));
  const isOurs = ({ name, type, values }: DnsRecord): boolean =>
    type === 'SRV'
      ? services.has(name) && values.every((value) => hosts.has(hostOf(value)))
      : name === naming.domain && type !== 'TXT' && values.every((value) => addresses.has(value));
  return records.filter(isOurs).map(({ name }) => name);
}

function ownerConflict(
  records: readonly DnsRecord[],
  { clusterName, naming }: RecordOwner,
): readonly RecordConflict[] {
  const mark = findZoneMark(records, naming);
  if (mark === undefined || (mark !== 'foreign' && mark.clusterName === clusterName)) return [];
  const whose = mark === 'foreign' ? 'something that Drover did not write' : `cluster ${mark.clusterName}`;
  return [{ name: markName(naming), type: 'TXT', why: `the mark of the domain belongs to ${whose}` }];
}

function unmarkedConflict(
  existing: DnsRecord | undefined,
  owned: ReadonlySet<string>,
): readonly RecordConflict[] {
  if (!existing || owned.has(keyOf(existing))) return [];
  return [{ name: existing.name, type: existing.type, why: 'it does not have the mark of Drover' }];
}

/** Route 53 allows no plain set beside an alias or a weighted set of the same name and type, nor beside a CNAME. */
function foreignConflict(
  { name, type }: ForeignRecord,
  wanted: ReadonlyMap<string, DnsRecord>,
): readonly RecordConflict[] {
  const [plain = ''] = type.split(' ');
  const isConflict =
    plain === 'CNAME'
      ? [...wanted.values()].some((record) => record.name === name)
      : wanted.has(`${plain} ${name}`);
  return isConflict ? [{ name, type, why: 'Route 53 allows no set of Drover beside it' }] : [];
}

const keyOf = ({ name, type }: DnsRecord): string => `${type} ${name}`;

const isSame = (one: DnsRecord, other: DnsRecord): boolean =>
  one.ttlSeconds === other.ttlSeconds &&
  one.values.length === other.values.length &&
  one.values.toSorted().join('\n') === other.values.toSorted().join('\n');

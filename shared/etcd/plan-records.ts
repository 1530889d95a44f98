import { findHostMarks, findZoneMark } from './mark.ts';
import { type EtcdNaming, instanceOfHost, markName } from './names.ts';
import type { DnsRecord, ForeignRecord, RecordChange, ZoneContent } from './zone.ts';

/** Whose the records are that a plan may change. */
export interface RecordOwner {
  readonly clusterName: string;
  readonly naming: EtcdNaming;
}

/** A record in the way that is not ours. */
export interface RecordConflict {
  readonly name: string;
  readonly type: string;
  readonly why: string;
}

export interface RecordPlan {
  /** One batch; empty where nothing is to be changed or something is in the way. */
  readonly changes: readonly RecordChange[];
  readonly conflicts: readonly RecordConflict[];
  /** Records under the domain that are not ours and not in the way: named and left alone. */
  readonly foreign: readonly ForeignRecord[];
}

/**
 * What turns the records of a domain into the desired ones: every set that differs is deleted exactly as it stands and created
 * anew, so that the batch is a compare-and-swap. Pure; planning again over the result yields no change.
 */
export function planRecords(
  current: ZoneContent,
  desired: readonly DnsRecord[],
  owner: RecordOwner,
): RecordPlan {
  const owned = ownedKeys(current.records, owner);
  const wanted = new Map(desired.map((record) => [keyOf(record), record]));
  const standing = new Map(current.records.map((record) => [keyOf(record), record]));
  const conflicts = [
    ...ownerConflict(current.records, owner),
    ...[...wanted.keys()].flatMap((key) => inTheWay(standing.get(key), owned)),
    ...current.foreign.flatMap((record) => excluding(record, wanted)),
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
    const now = standing.get(keyOf(record));
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

/** The sets that carry our mark, or that our mark names. */
function ownedKeys(records: readonly DnsRecord[], { clusterName, naming }: RecordOwner): ReadonlySet<string> {
  const mark = findZoneMark(records, naming);
  const isOurs = typeof mark === 'object' && mark.clusterName === clusterName;
  const named = new Set(
    isOurs
      ? [markName(naming), naming.domain, ...mark.srvLabels.map((label) => `${label}.${naming.domain}`)]
      : [],
  );
  const hosts = findHostMarks(records, naming);
  const isOwned = ({ name, type }: DnsRecord): boolean => {
    const instanceId = instanceOfHost(name, naming);
    if (instanceId) return hosts.get(instanceId)?.clusterName === clusterName && type !== 'SRV';
    if (name === naming.domain) return named.has(name) && (type === 'A' || type === 'AAAA');
    return named.has(name) && (type === 'SRV' || type === 'TXT');
  };
  return new Set(records.filter(isOwned).map(keyOf));
}

function ownerConflict(
  records: readonly DnsRecord[],
  { clusterName, naming }: RecordOwner,
): readonly RecordConflict[] {
  const mark = findZoneMark(records, naming);
  if (mark === undefined || (mark !== 'foreign' && mark.clusterName === clusterName)) return [];
  const whose = mark === 'foreign' ? 'something that Drover has not written' : `cluster ${mark.clusterName}`;
  return [{ name: markName(naming), type: 'TXT', why: `the domain is marked as that of ${whose}` }];
}

function inTheWay(standing: DnsRecord | undefined, owned: ReadonlySet<string>): readonly RecordConflict[] {
  if (!standing || owned.has(keyOf(standing))) return [];
  return [{ name: standing.name, type: standing.type, why: 'it stands there without our mark' }];
}

/** An alias or a weighted set of the same type, and a CNAME, leave no place for ours. */
function excluding(
  { name, type }: ForeignRecord,
  wanted: ReadonlyMap<string, DnsRecord>,
): readonly RecordConflict[] {
  const [plain = ''] = type.split(' ');
  const isExcluding =
    plain === 'CNAME'
      ? [...wanted.values()].some((record) => record.name === name)
      : wanted.has(`${plain} ${name}`);
  return isExcluding ? [{ name, type, why: 'it leaves no place for ours' }] : [];
}

const keyOf = ({ name, type }: DnsRecord): string => `${type} ${name}`;

const isSame = (one: DnsRecord, other: DnsRecord): boolean =>
  one.ttlSeconds === other.ttlSeconds &&
  one.values.length === other.values.length &&
  one.values.toSorted().join('\n') === other.values.toSorted().join('\n');

import { type EtcdNaming, instanceOfHost, markName } from './names.ts';
import type { DnsRecord } from './zone.ts';

/**
 * The state of the cluster of a domain:
 * - `forming`: the first set is published as a whole, and frozen until its members have formed a cluster;
 * - `born`: they have formed the cluster with this id, and no member of this domain ever starts as `new` again;
 * - `published`: Drover has published the first set, and cannot reach etcd.
 *
 * The token is the `--initial-cluster-token` of this birth; marks that were written before tokens have none.
 */
export type BirthState =
  | { readonly kind: 'forming'; readonly set: readonly string[]; readonly token?: string }
  | { readonly kind: 'born'; readonly clusterId: string }
  | { readonly kind: 'published'; readonly token?: string };

/** The content of the TXT set `_drover-etcd.<domain>`: the owner of the domain, and its birth mark. */
export interface ZoneMark {
  readonly clusterName: string;
  readonly birth: BirthState;
  /** Epoch seconds of Drover's last change to the domain. Every name server has it a minute later. */
  readonly changedAt: number;
  /** The SRV sets that Drover has made, without the domain: `_etcd-server-ssl._tcp`. */
  readonly srvLabels: readonly string[];
}

/**
 * What is wrong with a member:
 * - `missing`: EC2 does not know its instance;
 * - `silent`: it should vote, but does not answer;
 * - `waiting`: its instance leaves, and the member may not be removed yet.
 */
export const memberTroubles = ['missing', 'silent', 'waiting'] as const;

export interface MemberTrouble {
  readonly kind: (typeof memberTroubles)[number];
  /** Epoch seconds. */
  readonly since: number;
}

/** The content of the TXT set of a member's host: its owner, and what the member starts as. */
export interface HostMark {
  readonly clusterName: string;
  readonly instanceId: string;
  readonly state: 'new' | 'existing';
  /** `--initial-cluster-token`, for a member that starts as `new`. */
  readonly token?: string;
  /** Undefined for a member without trouble. */
  readonly trouble?: MemberTrouble;
}

const version = 'v=drover1';

/** What the first members of a birth start with; undefined once it is over. */
export const tokenOf = (birth: BirthState): string | undefined =>
  'token' in birth ? birth.token : undefined;

export const formatZoneMark = (mark: ZoneMark): readonly string[] => [
  version,
  `cluster=${mark.clusterName}`,
  ...birthFields(mark.birth),
  `changed=${mark.changedAt}`,
  ...mark.srvLabels.map((label) => `srv=${label}`),
];

function birthFields(birth: BirthState): readonly string[] {
  if (birth.kind === 'born') return ['birth=born', `cluster-id=${birth.clusterId}`];
  const token = birth.token === undefined ? [] : [`token=${birth.token}`];
  if (birth.kind === 'published') return ['birth=published', ...token];
  return ['birth=forming', ...token, ...birth.set.map((instanceId) => `member=${instanceId}`)];
}

/** Undefined for a TXT set that Drover did not write, or that another writer added to: one with two owners or two births. */
export function readZoneMark(values: readonly string[]): ZoneMark | undefined {
  if (!values.includes(version) || hasTwoValues(values)) return undefined;
  const clusterName = fieldOf(values, 'cluster');
  const birth = readBirth(values);
  if (!clusterName || !birth) return undefined;
  const changedAt = Number(fieldOf(values, 'changed') ?? 0) || 0;
  return { clusterName, birth, changedAt, srvLabels: fieldsOf(values, 'srv') };
}

function readBirth(values: readonly string[]): BirthState | undefined {
  const clusterId = fieldOf(values, 'cluster-id');
  const token = fieldOf(values, 'token');
  switch (fieldOf(values, 'birth')) {
    case 'forming':
      return { kind: 'forming', set: fieldsOf(values, 'member'), token };
    case 'born':
      return clusterId ? { kind: 'born', clusterId } : undefined;
    case 'published':
      return { kind: 'published', token };
    default:
      return undefined;
  }
}

/** One string, because a shell script reads it from DNS: `v=drover1;cluster=prod;state=new;name=i-0123456789abcdef0`. */
export const formatHostMark = ({ clusterName, state, instanceId, token, trouble }: HostMark): string =>
  [
    version,
    `cluster=${clusterName}`,
    `state=${state}`,
    `name=${instanceId}`,
    ...(token === undefined ? [] : [`token=${token}`]),
    ...(trouble ? [`${trouble.kind}=${trouble.since}`] : []),
  ].join(';');

/** Undefined for a TXT set that Drover did not write. */
export function readHostMark(values: readonly string[]): HostMark | undefined {
  const fields = values.length === 1 ? (values[0] ?? '').split(';') : [];
  const clusterName = fieldOf(fields, 'cluster');
  const state = fieldOf(fields, 'state');
  const instanceId = fieldOf(fields, 'name');
  if (!fields.includes(version) || hasTwoValues(fields) || !clusterName || !instanceId) return undefined;
  if (state !== 'new' && state !== 'existing') return undefined;
  const token = fieldOf(fields, 'token');
  return { clusterName, instanceId, state, token, trouble: readTrouble(fields) };
}

function readTrouble(fields: readonly string[]): MemberTrouble | undefined {
  const [found] = memberTroubles.flatMap((kind) => {
    const since = Number(fieldOf(fields, kind) ?? Number.NaN);
    return Number.isInteger(since) ? [{ kind, since }] : [];
  });
  return found;
}

/** The mark of a domain among its records; `foreign` if the TXT set under its name is not Drover's. */
export function findZoneMark(
  records: readonly DnsRecord[],
  naming: Pick<EtcdNaming, 'domain'>,
): ZoneMark | 'foreign' | undefined {
  const record = records.find(({ name, type }) => type === 'TXT' && name === markName(naming));
  return record && (readZoneMark(record.values) ?? 'foreign');
}

/** The hosts' marks by instance. */
export function findHostMarks(
  records: readonly DnsRecord[],
  naming: Pick<EtcdNaming, 'domain'>,
): ReadonlyMap<string, HostMark> {
  return new Map(
    records.flatMap(({ name, type, values }) => {
      const instanceId = type === 'TXT' ? instanceOfHost(name, naming) : undefined;
      const mark = instanceId && readHostMark(values);
      return mark ? [[instanceId, mark] as const] : [];
    }),
  );
}

/** The fields that a mark has at most once. Any other may be there several times. */
const singleFields = ['v', 'cluster', 'birth', 'cluster-id', 'token', 'changed', 'state', 'name'] as const;

/** Whether the text contradicts itself. The order of the values of a TXT set means nothing, so none of two is the right one. */
const hasTwoValues = (fields: readonly string[]): boolean =>
  singleFields.some((key) => fieldsOf(fields, key).length > 1);

const fieldsOf = (fields: readonly string[], key: string): readonly string[] =>
  fields.filter((field) => field.startsWith(`${key}=`)).map((field) => field.slice(key.length + 1));

const fieldOf = (fields: readonly string[], key: string): string | undefined => fieldsOf(fields, key)[0];

import {
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandOutput,
  type ListResourceRecordSetsRequest,
  type ResourceRecordSet,
  type Route53Client,
} from '@aws-sdk/client-route-53';
import { markName } from '../etcd/names.ts';
import type { DnsRecord, DnsRecordType, ForeignRecord } from '../etcd/zone.ts';
import { required } from './errors.ts';

type Read =
  | { readonly kind: 'record'; readonly record: DnsRecord }
  | { readonly kind: 'foreign'; readonly foreign: ForeignRecord };

const ourTypes: readonly string[] = ['A', 'AAAA', 'SRV', 'TXT'] satisfies readonly DnsRecordType[];

/** Reads a record set as Route 53 lists it. If it is not a plain set of a type that Drover uses, only its name is read. */
export function readRecordSet(set: ResourceRecordSet): Read {
  const { Type: type = '', TTL: ttlSeconds } = set;
  const name = readName(set.Name ?? '');
  const kind = routingOf(set);
  if (kind !== undefined || ttlSeconds === undefined || !set.ResourceRecords || !ourTypes.includes(type))
    return { kind: 'foreign', foreign: { name, type: kind ? `${type} (${kind})` : type } };
  const values = valuesOf(set).map((value) => (type === 'TXT' ? readText(value) : value));
  return { kind: 'record', record: { name, type: type as DnsRecordType, ttlSeconds, values } };
}

function routingOf(set: ResourceRecordSet): string | undefined {
  if (set.AliasTarget) return 'alias';
  if (set.TrafficPolicyInstanceId !== undefined) return 'traffic policy';
  if (set.SetIdentifier !== undefined) return 'routing policy';
  return set.HealthCheckId === undefined ? undefined : 'health check';
}

export const valuesOf = ({ ResourceRecords }: ResourceRecordSet): readonly string[] =>
  ResourceRecords?.map(({ Value = '' }) => Value) ?? [];

/** A record set as Route 53 takes it. */
export const writeRecordSet = ({ name, type, ttlSeconds, values }: DnsRecord): ResourceRecordSet => ({
  Name: name,
  Type: type,
  TTL: ttlSeconds,
  ResourceRecords: values.map((value) => ({ Value: type === 'TXT' ? writeText(value) : value })),
});

export interface ListedDomain {
  readonly zoneId: string;
  readonly domain: string;
}

/**
 * The sets at and under a domain. If they fill more than a page, only those under the names that Drover gives: Route 53 takes five
 * requests a second of an account, and thousands of other records under the domain would need more than a pass has.
 */
export async function listUnder(
  client: Route53Client,
  at: ListedDomain,
): Promise<readonly ResourceRecordSet[]> {
  const all = rangeOf(at.domain);
  const { sets, next } = await listPage(client, at.zoneId, { StartRecordName: at.domain });
  if (!all.has(next?.StartRecordName)) return sets.filter(({ Name }) => all.has(Name));
  // The sets of the domain itself come first.
  const found = sets.filter(({ Name = '' }) => readName(Name) === at.domain);
  for (const range of rangesOf(at)) found.push(...(await listRange(client, at.zoneId, range)));
  return found;
}

/** Names that follow each other in a list: Route 53 lists names by their labels in reverse order. */
interface Range {
  readonly start: string;
  readonly has: (name: string | undefined) => boolean;
}

/** A name, and all names under it. */
const rangeOf = (start: string): Range => ({
  start,
  has: (name) => name !== undefined && (readName(name) === start || readName(name).endsWith(`.${start}`)),
});

/** The mark of the domain, the SRV sets and the hosts. */
const rangesOf = ({ domain }: ListedDomain): readonly Range[] => [
  rangeOf(markName({ domain })),
  rangeOf(`_tcp.${domain}`),
  {
    start: `i-0.${domain}`,
    has: (name) =>
      name !== undefined &&
      readName(name).endsWith(`.${domain}`) &&
      readName(name)
        .slice(0, -domain.length - 1)
        .split('.')
        .at(-1)
        ?.startsWith('i-') === true,
  },
];

async function listRange(
  client: Route53Client,
  zoneId: string,
  range: Range,
): Promise<readonly ResourceRecordSet[]> {
  const found: ResourceRecordSet[] = [];
  let from: Start | undefined = { StartRecordName: range.start };
  while (from) {
    const { sets, next }: Page = await listPage(client, zoneId, from);
    found.push(...sets.filter(({ Name }) => range.has(Name)));
    from = range.has(next?.StartRecordName) ? next : undefined;
  }
  return found;
}

type Start = Omit<ListResourceRecordSetsRequest, 'HostedZoneId'>;

interface Page {
  readonly sets: readonly ResourceRecordSet[];
  /** Absent after the last page of the zone. */
  readonly next?: Start;
}

async function listPage(client: Route53Client, zoneId: string, from: Start): Promise<Page> {
  const page: ListResourceRecordSetsCommandOutput = await client.send(
    new ListResourceRecordSetsCommand({ HostedZoneId: zoneId, ...from }),
  );
  const { ResourceRecordSets, $metadata } = page;
  const sets = required(ResourceRecordSets, { name: 'ResourceRecordSets', $metadata });
  if (!page.IsTruncated) return { sets };
  return {
    sets,
    next: {
      StartRecordName: page.NextRecordName,
      StartRecordType: page.NextRecordType,
      StartRecordIdentifier: page.NextRecordIdentifier,
    },
  };
}

/**
 * How Route 53 spells names and texts: bytes other than letters, digits, hyphens and underscores come as `\` and three
 * octal digits, as in `\052.example.com.` (developer guide, "DNS domain name format").
 */

const octal = (code: number): string => `\\${code.toString(8).padStart(3, '0')}`;

/** Lower case, without the dot at its end; escapes that would make another name of it stay. */
export const readName = (name: string): string =>
  name
    .replace(/\.$/, '')
    .replace(/\\(\d{3})/g, (escape, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 8));
      return /[!-~]/.test(character) && character !== '.' && character !== '\\' ? character : escape;
    })
    .toLowerCase();

/** The longest character string of a TXT record, in bytes (RFC 1035, section 3.3.14). */
const chunkBytes = 255;

/** A text as the value of a TXT set: in quotes, in as many pieces as it takes. */
export function writeText(text: string): string {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.max(1, Math.ceil(bytes.length / chunkBytes)) }, (_, index) =>
    [...bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)].map(writeByte).join(''),
  );
  return pieces.map((piece) => `"${piece}"`).join(' ');
}

const quote = 0x22;
const backslash = 0x5c;

function writeByte(byte: number): string {
  if (byte === quote || byte === backslash) return `\\${String.fromCharCode(byte)}`;
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : octal(byte);
}

const piecePattern = /"((?:[^"\\]|\\[\s\S])*)"|([^\s"]+)/g;

/** The text of a TXT value: its pieces put together, its escapes resolved. */
export function readText(value: string): string {
  const bytes = [...value.matchAll(piecePattern)].flatMap(([, quoted, bare]) =>
    readBytes(quoted ?? bare ?? ''),
  );
  return Buffer.from(bytes).toString();
}

const readBytes = (piece: string): readonly number[] =>
  [...piece.matchAll(/\\([0-3][0-7]{2})|\\([\s\S])|([^\\]+|\\$)/g)].flatMap(([, digits, escaped, plain]) =>
    digits === undefined ? [...Buffer.from(escaped ?? plain ?? '')] : [Number.parseInt(digits, 8)],
  );

import {
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandOutput,
  type ListResourceRecordSetsRequest,
  type ResourceRecordSet,
  type Route53Client,
} from '@aws-sdk/client-route-53';
import { markName } from '../etcd/names.ts';
import { readName } from './dns-text.ts';
import { required } from './unreadable-answer.ts';

export interface ListedDomain {
  readonly zoneId: string;
  readonly domain: string;
}

/**
 * The sets at and under a domain. Where they are more than a page, only those under the names that Drover gives: Route 53 takes five
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

/** Names that stand together, since Route 53 lists names by their labels in reverse order. */
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

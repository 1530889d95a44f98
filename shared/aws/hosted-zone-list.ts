import type { ListResourceRecordSetsRequest, RRType } from '@aws-sdk/client-route-53';
import type { Route53Api } from './api/route53-api.ts';
import { readName } from './dns-text.ts';
import type { RecordSet } from './hosted-zone-records.ts';

/**
 * Every set at and under a domain. Route 53 lists names by their labels in reverse order, so that all of them stand together
 * and begin with the domain: whatever stands elsewhere in the zone is not read, but for the rest of the last page.
 */
export async function listUnder(
  api: Route53Api,
  { zoneId, domain }: { readonly zoneId: string; readonly domain: string },
): Promise<readonly RecordSet[]> {
  const isUnder = (name = ''): boolean => {
    const read = readName(name);
    return read === domain || read.endsWith(`.${domain}`);
  };
  const found: RecordSet[] = [];
  let from: ListResourceRecordSetsRequest | undefined = { HostedZoneId: zoneId, StartRecordName: domain };
  while (from) {
    const page: Awaited<ReturnType<typeof list>> = await list(api, from);
    found.push(...page.ResourceRecordSets.filter(({ Name }) => isUnder(Name)));
    from =
      page.IsTruncated && isUnder(page.NextRecordName)
        ? {
            HostedZoneId: zoneId,
            StartRecordName: page.NextRecordName,
            StartRecordType: page.NextRecordType as RRType | undefined,
            StartRecordIdentifier: page.NextRecordIdentifier,
          }
        : undefined;
  }
  return found;
}

const list = (api: Route53Api, input: ListResourceRecordSetsRequest) =>
  api.call('ListResourceRecordSets', input);

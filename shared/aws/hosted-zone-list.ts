import {
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandOutput,
  type ListResourceRecordSetsRequest,
  type ResourceRecordSet,
  type Route53Client,
} from '@aws-sdk/client-route-53';
import { readName } from './dns-text.ts';
import { required } from './unreadable-answer.ts';

/**
 * Every set at and under a domain. Route 53 lists names by their labels in reverse order, so that all of them stand together
 * and begin with the domain: whatever stands elsewhere in the zone is not read, but for the rest of the last page.
 */
export async function listUnder(
  client: Route53Client,
  { zoneId, domain }: { readonly zoneId: string; readonly domain: string },
): Promise<readonly ResourceRecordSet[]> {
  const isUnder = (name = ''): boolean => {
    const read = readName(name);
    return read === domain || read.endsWith(`.${domain}`);
  };
  const found: ResourceRecordSet[] = [];
  let from: ListResourceRecordSetsRequest | undefined = { HostedZoneId: zoneId, StartRecordName: domain };
  while (from) {
    const page: ListResourceRecordSetsCommandOutput = await client.send(
      new ListResourceRecordSetsCommand(from),
    );
    const { ResourceRecordSets, $metadata } = page;
    const sets = required(ResourceRecordSets, { name: 'ResourceRecordSets', $metadata });
    found.push(...sets.filter(({ Name }) => isUnder(Name)));
    from =
      page.IsTruncated && isUnder(page.NextRecordName)
        ? {
            HostedZoneId: zoneId,
            StartRecordName: page.NextRecordName,
            StartRecordType: page.NextRecordType,
            StartRecordIdentifier: page.NextRecordIdentifier,
          }
        : undefined;
  }
  return found;
}

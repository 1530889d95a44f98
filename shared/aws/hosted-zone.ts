import {
  type Change,
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  GetHostedZoneCommand,
  type Route53Client,
} from '@aws-sdk/client-route-53';
import { type DnsRecord, type HostedZone, type RecordChange, ZoneError } from '../etcd/zone.ts';
import { toZoneError } from './hosted-zone-errors.ts';
import { listUnder } from './hosted-zone-list.ts';
import { readRecordSet, valuesOf, writeRecordSet } from './hosted-zone-records.ts';
import { required } from './unreadable-answer.ts';

export interface HostedZoneOptions {
  readonly client: Route53Client;
  /** `Z0123456789ABCDEFGHIJ`, with or without `/hostedzone/` before it. */
  readonly zoneId: string;
}

/** "A request cannot contain more than 1,000 ResourceRecord elements", nor 32,000 characters in their values. */
const maximumValues = 1000;
const maximumCharacters = 32_000;
const maximumCommentLength = 256;

/** One hosted zone over the API of Route 53. What it is called is asked for once. */
export function createHostedZone({ client, zoneId: givenId }: HostedZoneOptions): HostedZone {
  const zoneId = givenId.replace(/^\/?hostedzone\//, '');
  const spellings = createSpellings();
  let zoneName: string | undefined;

  const mapped = async <Value>(ask: () => Promise<Value>): Promise<Value> => {
    try {
      return await ask();
    } catch (error) {
      throw toZoneError(error, zoneId) ?? error;
    }
  };
  const checkHolds = async (domain: string): Promise<void> => {
    zoneName ??= await readZoneName(client, zoneId);
    if (domain === zoneName || domain.endsWith(`.${zoneName}`)) return;
    throw new ZoneError('no-zone', `the hosted zone ${zoneId} is ${zoneName}: it does not hold ${domain}`);
  };

  return {
    read: (domain) =>
      mapped(async () => {
        const name = bare(domain);
        await checkHolds(name);
        const sets = await listUnder(client, { zoneId, domain: name });
        const read = sets.map((set) => ({ set, ...readRecordSet(set) }));
        for (const one of read) if (one.kind === 'record') spellings.keep(one.record, valuesOf(one.set));
        return {
          records: read.flatMap((one) => (one.kind === 'record' ? [one.record] : [])),
          foreign: read.flatMap((one) => (one.kind === 'foreign' ? [one.foreign] : [])),
        };
      }),
    change: (changes, comment) =>
      mapped(async () => {
        const batch = inOrder(changes).map((change) => toChange(change, spellings));
        checkSize(batch);
        const { ChangeInfo, $metadata } = await client.send(
          new ChangeResourceRecordSetsCommand({
            HostedZoneId: zoneId,
            ChangeBatch: { Changes: batch, Comment: comment.slice(0, maximumCommentLength) },
          }),
        );
        return required(ChangeInfo?.Id, { name: 'ChangeInfo', $metadata }).replace(/^\/?change\//, '');
      }),
    isInSync: (changeId) =>
      mapped(async () => {
        const { ChangeInfo } = await client.send(new GetChangeCommand({ Id: changeId }));
        return ChangeInfo?.Status === 'INSYNC';
      }),
  };
}

async function readZoneName(client: Route53Client, zoneId: string): Promise<string> {
  const { HostedZone, $metadata } = await client.send(new GetHostedZoneCommand({ Id: zoneId }));
  return bare(required(HostedZone?.Name, { name: 'HostedZone', $metadata }));
}

const bare = (name: string): string => name.replace(/\.$/, '').toLowerCase();

/** What is deleted makes room for what is created: Route 53 takes the changes of a batch one after the other. */
const inOrder = (changes: readonly RecordChange[]): readonly RecordChange[] =>
  ['delete', 'create'].flatMap((action) => changes.filter((change) => change.action === action));

interface Spellings {
  readonly keep: (record: DnsRecord, values: readonly string[]) => void;
  readonly of: (record: DnsRecord) => readonly string[] | undefined;
}

/**
 * A set is deleted by its values exactly as they stand, and one text can be spelled in several ways: what was read is
 * remembered as it was spelled.
 */
function createSpellings(): Spellings {
  const known = new Map<string, readonly string[]>();
  const keyOf = ({ name, type, values }: DnsRecord): string => JSON.stringify([name, type, values]);
  return {
    keep: (record, values) => {
      if (record.type === 'TXT') known.set(keyOf(record), values);
    },
    of: (record) => known.get(keyOf(record)),
  };
}

function toChange({ action, record }: RecordChange, spellings: Spellings): Change {
  const set = writeRecordSet(record);
  if (action === 'create') return { Action: 'CREATE', ResourceRecordSet: set };
  const values = spellings.of(record)?.map((Value) => ({ Value })) ?? set.ResourceRecords;
  return { Action: 'DELETE', ResourceRecordSet: { ...set, ResourceRecords: values } };
}

function checkSize(batch: readonly Change[]): void {
  const values = batch.flatMap(({ ResourceRecordSet }) => ResourceRecordSet?.ResourceRecords ?? []);
  const characters = values.reduce((sum, { Value = '' }) => sum + Value.length, 0);
  if (batch.length === 0) throw new ZoneError('invalid', 'a batch without changes');
  if (values.length > maximumValues)
    throw new ZoneError(
      'invalid',
      `${values.length} values in one change: Route 53 takes ${maximumValues} at most, so fewer members or services must share a domain`,
    );
  if (characters > maximumCharacters)
    throw new ZoneError(
      'invalid',
      `${characters} characters of values in one change: Route 53 takes ${maximumCharacters} at most, so a shorter domain or fewer members are needed`,
    );
}

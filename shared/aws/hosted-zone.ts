import {
  type Change,
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  GetHostedZoneCommand,
  type Route53Client,
} from '@aws-sdk/client-route-53';
import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import {
  type DnsRecord,
  type HostedZone,
  type RecordChange,
  ZoneError,
  type ZoneErrorCode,
} from '../etcd/zone.ts';
import { hasCode, isThrottled, required } from './errors.ts';
import { listUnder, readRecordSet, valuesOf, writeRecordSet } from './hosted-zone-records.ts';

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
 * A set is deleted by its values, spelled exactly as in the zone. One text can be spelled in several ways, so the spelling that was read
 * is remembered.
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

/** The end of `Tried to create resource record set ... but it already exists`, whatever form the record between has. */
const overtaken = / but (?:it already exists|it was not found|the values provided do not match)/;
const outside = /RRSet with DNS name \S+ is not permitted in zone/;

/** What an error of Route 53 means, in words for an operator; undefined if it is not a verdict of Route 53. */
export function toZoneError(error: unknown, zoneId: string): ZoneError | undefined {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return undefined;
  const message = batchMessages(error)?.join(', ') ?? error.message;
  return new ZoneError(code, `${advice[code](zoneId)}: ${message}`, { cause: error });
}

const advice: Readonly<Record<ZoneErrorCode, (zoneId: string) => string>> = {
  conflict: (zoneId) => `another client has changed the hosted zone ${zoneId} meanwhile`,
  busy: (zoneId) => `Route 53 takes no more calls for the hosted zone ${zoneId} at this moment`,
  'no-zone': (zoneId) =>
    `there is no hosted zone ${zoneId}, or it does not hold the names: look at the zone id and the domain that are configured`,
  denied: (zoneId) =>
    `the role may not do this with the hosted zone ${zoneId}: it needs route53:GetHostedZone, ListResourceRecordSets and ChangeResourceRecordSets on arn:aws:route53:::hostedzone/${zoneId}, and GetChange on arn:aws:route53:::change/*`,
  invalid: (zoneId) => `Route 53 does not take this for the hosted zone ${zoneId}`,
};

function codeOf(error: unknown): ZoneErrorCode | undefined {
  const messages = batchMessages(error);
  if (messages) return batchCode(messages.join(' '));
  if (hasCode(error, 'InvalidChangeBatch')) return batchCode((error as Error).message);
  if (isThrottled(error) || hasCode(error, 'PriorRequestNotComplete')) return 'busy';
  if (hasCode(error, 'NoSuchHostedZone')) return 'no-zone';
  if (hasCode(error, 'AccessDenied', 'AccessDeniedException', 'NotAuthorizedException')) return 'denied';
  if (hasCode(error, 'InvalidInput', 'MalformedInput', 'InvalidDomainName', 'NoSuchChange')) return 'invalid';
  return undefined;
}

/**
 * Route 53 refuses a batch in two forms. The SDK reads ErrorResponse; of the form that the API reference shows, a list of messages
 * without a code, it makes an error "Unknown" and leaves the messages on it.
 */
function batchMessages(error: unknown): readonly string[] | undefined {
  const read = unnamedRefusal().safeParse(error);
  if (!(error instanceof Error) || error.name !== 'Unknown' || !read.success) return undefined;
  return [read.data.Messages.Message].flat();
}

const unnamedRefusal = lazily(() =>
  z.object({ Messages: z.object({ Message: z.union([z.string(), z.array(z.string())]) }) }),
);

function batchCode(message: string): ZoneErrorCode {
  if (outside.test(message)) return 'no-zone';
  return overtaken.test(message) ? 'conflict' : 'invalid';
}

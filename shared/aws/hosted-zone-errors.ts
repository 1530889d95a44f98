import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { ZoneError, type ZoneErrorCode } from '../etcd/zone.ts';
import { hasCode, isThrottled } from './errors.ts';

const overtaken =
  /Tried to (?:create|delete) resource record set .*? but (?:it already exists|it was not found|the values provided do not match)/;
const outside = /RRSet with DNS name \S+ is not permitted in zone/;

/** What an error of Route 53 means, in words for an operator; undefined for what is no verdict of Route 53. */
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

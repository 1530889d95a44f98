import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { parseJson } from '../../base/parse-json.ts';
import { type Envelope, envelopeSchema, type Place } from './envelope.ts';
import { isTestNotification, readHookNotification } from './hook-notification.ts';
import { ignored, type Meaning, malformed, notReadable } from './kind.ts';
import type { EventMeaning } from './meaning.ts';
import { kindOf } from './registry.ts';

/** EventBridge, SNS and Auto Scaling carry 256 KB; what is longer was not sent by them. */
export const longestEvent = 262_144;

/** SNS wraps what it delivers: its own envelope, with what was sent as an escaped string. */
const snsSchema = lazily(() => z.object({ Type: z.literal('Notification'), Message: z.string() }));

/**
 * Reads what has arrived in the inbox: an event of EventBridge, or a lifecycle hook's own notification, each bare or
 * wrapped by SNS. Never throws; what cannot be read is `malformed`, with the field and the remedy.
 */
export function readEventText(text: string, place: Place): EventMeaning {
  if (text.length > longestEvent) return named('an oversized event', notReadable('(the whole)', 'too long'));
  const value = parseJson(text);
  const wrapped = z.safeParse(snsSchema(), value);
  return wrapped.success ? readEvent(parseJson(wrapped.data.Message), place) : readEvent(value, place);
}

/** The same for what is already an object: a function that a hook or a rule invokes directly. */
export function readEvent(value: unknown, place: Place): EventMeaning {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return named('something that is no event', notReadable('(the whole)', 'expected a JSON object'));
  if ('detail-type' in value) return readEnvelope(value, place);
  if ('LifecycleTransition' in value || isTestNotification(value))
    return named('a hook notification', readHookNotification(value, place));
  return { kind: 'unknown', what: 'an object that is neither an event nor a hook notification' };
}

function readEnvelope(value: object, place: Place): EventMeaning {
  const envelope = z.safeParse(envelopeSchema(), value);
  if (!envelope.success) return named('an event', malformed(envelope.error));
  const { source, 'detail-type': detailType, detail, time } = envelope.data;
  const what = `${source} ${detailType}`;
  const elsewhere = reasonOfAnotherPlace(envelope.data, place);
  if (elsewhere !== undefined) return named(what, ignored(elsewhere));
  const kind = kindOf(source, detailType);
  return kind === undefined
    ? { kind: 'unknown', what }
    : named(what, kind({ detail, envelope: { time }, place }));
}

/** A copy of a Health event comes from its backup region, and its detail names the region that it is about. */
function reasonOfAnotherPlace({ source, account, region }: Envelope, place: Place): string | undefined {
  if (account !== place.accountId) return 'it is from another account';
  return region !== place.region && source !== 'aws.health' ? 'it is from another region' : undefined;
}

const named = (what: string, meaning: Meaning): EventMeaning => ({ ...meaning, what });

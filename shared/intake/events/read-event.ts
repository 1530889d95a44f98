import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { parseJson } from '../../base/parse-json.ts';
import {
  isTestNotification,
  launchAction,
  launchSuccessful,
  launchUnsuccessful,
  readHookNotification,
  terminateAction,
  terminateSuccessful,
  terminateUnsuccessful,
} from './auto-scaling.ts';
import { capacityReservation, rebalance, spotInterruption, stateChange } from './ec2.ts';
import { health } from './health.ts';
import { ignored, type Kind, type Meaning, malformed, notReadable, time } from './kind.ts';
import type { EventMeaning, Place } from './meaning.ts';

/** Messages of EventBridge, SNS and Auto Scaling have at most 256 KB. Something else has sent a longer text. */
export const longestEvent = 262_144;

/** The envelope of SNS, which has the message as a string. */
const snsSchema = lazily(() => z.object({ Type: z.literal('Notification'), Message: z.string() }));

/**
 * Reads a text from the inbox: an event of EventBridge or the notification of a lifecycle hook, with or without the envelope of SNS.
 * Never throws: a text that cannot be read is `malformed`, with the field and the remedy.
 */
export function readEventText(text: string, place: Place): EventMeaning {
  if (text.length > longestEvent) return named('an oversized event', notReadable('(the whole)', 'too long'));
  const value = parseJson(text);
  const wrapped = z.safeParse(snsSchema(), value);
  return wrapped.success ? readEvent(parseJson(wrapped.data.Message), place) : readEvent(value, place);
}

/** The same for an object, as a hook or a rule passes it to a function that it invokes directly. */
export function readEvent(value: unknown, place: Place): EventMeaning {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return named('something that is not an event', notReadable('(the whole)', 'expected a JSON object'));
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

/** A copy of a Health event may come from the backup region. Its detail names the region that it is about. */
function reasonOfAnotherPlace({ source, account, region }: Envelope, place: Place): string | undefined {
  if (account !== place.accountId) return 'it is from another account';
  return region !== place.region && source !== 'aws.health' ? 'it is from another region' : undefined;
}

const named = (what: string, meaning: Meaning): EventMeaning => ({ ...meaning, what });

/** Every kind that Drover knows, by source and detail-type. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ['aws.autoscaling/EC2 Instance-launch Lifecycle Action', launchAction],
  ['aws.autoscaling/EC2 Instance-terminate Lifecycle Action', terminateAction],
  ['aws.autoscaling/EC2 Instance Launch Successful', launchSuccessful],
  ['aws.autoscaling/EC2 Instance Launch Unsuccessful', launchUnsuccessful],
  ['aws.autoscaling/EC2 Instance Terminate Successful', terminateSuccessful],
  ['aws.autoscaling/EC2 Instance Terminate Unsuccessful', terminateUnsuccessful],
  ['aws.ec2/EC2 Spot Instance Interruption Warning', spotInterruption],
  ['aws.ec2/EC2 Instance Rebalance Recommendation', rebalance],
  ['aws.ec2/EC2 Instance State-change Notification', stateChange],
  ['aws.ec2/EC2 Capacity Reservation Instance Interruption Warning', capacityReservation],
  ['aws.health/AWS Health Event', health],
]);

const kindOf = (source: string, detailType: string): Kind | undefined => kinds.get(`${source}/${detailType}`);

/**
 * The envelope of EventBridge. `resources` is not read: in some events its ARNs have no account, and in one it is a plain string.
 * The detail always names the subject of the event.
 */
export const envelopeSchema = lazily(() =>
  z.object({
    id: z.optional(z.string().check(z.maxLength(128))),
    source: z.string().check(z.minLength(1), z.maxLength(256)),
    'detail-type': z.string().check(z.minLength(1), z.maxLength(256)),
    time: time(),
    account: z.string().check(z.maxLength(12)),
    region: z.string().check(z.maxLength(32)),
    detail: z.unknown(),
  }),
);

export type Envelope = z.infer<ReturnType<typeof envelopeSchema>>;

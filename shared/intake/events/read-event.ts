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
import { EventError, type EventMeaning, type Place } from './meaning.ts';

/** Messages of EventBridge, SNS and Auto Scaling have at most 256 KB. Something else has sent a longer text. */
export const longestEvent = 262_144;

/** The envelope of SNS, which has the message as a string. */
const snsSchema = lazily(() => z.object({ Type: z.literal('Notification'), Message: z.string() }));

/** EventBridge puts the name of the AWS service on an event. A topic delivers what its publishers write. */
type Channel = 'event-bus' | 'topic';

/**
 * Reads a text from the inbox: an event of EventBridge or the notification of a lifecycle hook. In the envelope of SNS, only what
 * lifecycle hooks send counts. Never throws: a text that cannot be read is `malformed`, with the field and the remedy.
 */
export function readEventText(text: string, place: Place): EventMeaning {
  if (text.length > longestEvent) return named('an oversized event', notReadable('(the whole)', 'too long'));
  const value = parseJson(text);
  const wrapped = z.safeParse(snsSchema(), value);
  return wrapped.success
    ? readEvent(parseJson(wrapped.data.Message), place, 'topic')
    : readEvent(value, place);
}

/** The same for an object, as a hook or a rule passes it to a function that it invokes directly. */
export function readEvent(value: unknown, place: Place, channel: Channel = 'event-bus'): EventMeaning {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return named('something that is not an event', notReadable('(the whole)', 'expected a JSON object'));
  if ('detail-type' in value) return readEnvelope(value, place, channel);
  if ('LifecycleTransition' in value || isTestNotification(value))
    return named('a hook notification', readHookNotification(value, place));
  return { kind: 'unknown', what: 'an object that is neither an event nor a hook notification' };
}

function readEnvelope(value: object, place: Place, channel: Channel): EventMeaning {
  const envelope = z.safeParse(envelopeSchema(), value);
  if (!envelope.success) return named('an event', malformed(envelope.error));
  const { source, 'detail-type': detailType, detail, time } = envelope.data;
  const what = `${source} ${detailType}`;
  const elsewhere = reasonOfAnotherPlace(envelope.data, place);
  if (elsewhere !== undefined) return named(what, ignored(elsewhere));
  const kind = kindOf(source, detailType);
  if (kind === undefined) return { kind: 'unknown', what };
  if (channel === 'topic' && source !== autoScaling) return named(what, notByTopic(source));
  return named(what, kind({ detail, envelope: { time }, place }));
}

/**
 * Lifecycle actions are checked against Auto Scaling before anything is done. Nothing can check a Spot or Health event, so it counts only
 * from EventBridge, where only AWS can name an AWS service as the source.
 */
const notByTopic = (source: string): Meaning => ({
  kind: 'malformed',
  error: new EventError({
    field: 'source',
    problem: `${source}, but only lifecycle actions of ${autoScaling} count from a topic`,
    remedy:
      'the event is parked in the dead-letter queue: send such events to the inbox with a rule of EventBridge, and let only lifecycle hooks publish to the topic',
  }),
});

const autoScaling = 'aws.autoscaling';

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

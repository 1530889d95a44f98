import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { batched } from '../base/batched.ts';
import type { OutgoingEvent } from '../notifications/notification.ts';

/** PutEvents takes no more in one call. */
const entriesPerCall = 10;

/** EventBridge answered, and did not take the event. */
export class EventRefusedError extends Error {
  override readonly name = 'EventRefusedError';
  /** Only this event was refused: EventBridge may take other events. */
  readonly isOfThisEvent: boolean;

  constructor(message: string, { code }: { readonly code: string | undefined }) {
    super(message);
    this.isOfThisEvent = code !== undefined && codesOfAnEvent.has(code);
  }
}

/** EventBridge failed on one entry, and answered in time. */
const internalFailure = 'InternalFailure';

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsResultEntry.html: the codes that say nothing about other events. */
const codesOfAnEvent: ReadonlySet<string> = new Set([
  internalFailure,
  'InvalidArgument',
  'MalformedDetail',
  'RedactionFailure',
]);

/**
 * Puts events on the default bus of the account; those of the same moment share a call, because each pass of a batch has its own.
 *
 * @throws EventRefusedError where PutEvents answers that the entry failed, and what it answers where the whole call does.
 */
export function eventBus(client: EventBridgeClient): (event: OutgoingEvent) => Promise<void> {
  const put = batched({
    limit: entriesPerCall,
    load: (events: readonly OutgoingEvent[]) => putAll(client, events),
  });
  return async (event) => {
    const first = await put(event);
    // The SDK repeats calls, but not entries of a call. Many events are sent only once.
    const entry = first?.ErrorCode === internalFailure ? await put(event) : first;
    if (entry?.EventId !== undefined && entry.ErrorCode === undefined) return;
    const why = `${entry?.ErrorCode ?? 'no entry'}: ${entry?.ErrorMessage ?? 'EventBridge gives no reason'}`;
    throw new EventRefusedError(`EventBridge did not take the event ${event.detail.id} (${why})`, {
      code: entry?.ErrorCode,
    });
  };
}

/** The answer has an entry for each event, in the order of the request. */
async function putAll(
  client: EventBridgeClient,
  events: readonly OutgoingEvent[],
): Promise<ReadonlyMap<OutgoingEvent, PutEventsResultEntry>> {
  const { Entries = [] } = await client.send(
    new PutEventsCommand({
      Entries: events.map(({ source, detailType, time, detail }) => ({
        Source: source,
        DetailType: detailType,
        Time: time,
        Detail: JSON.stringify(detail),
      })),
    }),
  );
  return new Map(
    events.flatMap((event, index) => {
      const entry = Entries[index];
      return entry ? [[event, entry] as const] : [];
    }),
  );
}

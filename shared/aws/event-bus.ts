import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { OutgoingEvent } from '../lifecycle/notifications/event.ts';

/** EventBridge answered, and did not take the event. */
export class EventRefusedError extends Error {
  override readonly name = 'EventRefusedError';
}

/**
 * Puts one event on the default bus of the account.
 *
 * @throws EventRefusedError where PutEvents answers that the entry failed, and what it answers where the whole call does.
 */
export async function putEvent(
  client: EventBridgeClient,
  { source, detailType, time, detail }: OutgoingEvent,
): Promise<void> {
  const { Entries = [] } = await client.send(
    new PutEventsCommand({
      Entries: [{ Source: source, DetailType: detailType, Time: time, Detail: JSON.stringify(detail) }],
    }),
  );
  const [entry] = Entries;
  if (entry?.EventId !== undefined && entry.ErrorCode === undefined) return;
  const why = `${entry?.ErrorCode ?? 'no entry'}: ${entry?.ErrorMessage ?? 'EventBridge gives no reason'}`;
  throw new EventRefusedError(`EventBridge did not take the event ${detail.id} (${why})`);
}

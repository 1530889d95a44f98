import { afterAll, beforeAll } from 'vitest';
import { shapeOf } from '../../../real/account/answers.ts';
import { openInbox, type TakeEvents } from '../auto-scaling-events/inbox.ts';
import { accountWorld, openAccount } from './account.ts';

/** EventBridge delivers most events within seconds. */
const lateSeconds = 30;

/** Records the events that the cases of a file cause, as answers of the account by their detail type. */
export function recordEvents(): void {
  if (accountWorld.missing !== undefined) return;
  const { signal } = new AbortController();
  let take: TakeEvents | undefined;
  beforeAll(async () => {
    take = await openInbox(openAccount(signal).clients);
  });
  afterAll(async () => {
    const { record, pass } = openAccount(signal);
    await pass(lateSeconds);
    for (const event of (await take?.()) ?? [])
      record({ service: event.source, operation: event['detail-type'], shape: shapeOf(event) });
  });
}

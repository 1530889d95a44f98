import * as z from 'zod/mini';
import { type MessageReading, messageFormat, readMessage } from '../passes/message-format.ts';
import type { OutgoingMessage } from '../passes/queue.ts';

/** The reason for a pass over the rolls of the cluster: the scan of each minute found one, or a command changed one. */
export interface RollNotice {
  readonly cause: 'looked' | 'asked';
  /** ISO 8601 in UTC. */
  readonly noticedAt: string;
}

const format = messageFormat<RollNotice>({
  version: 1,
  work: 'rolls',
  notice: () => z.object({ cause: z.enum(['looked', 'asked']), noticedAt: z.iso.datetime() }),
  // One pass at a time for the whole cluster: etcd and control planes may be in several groups.
  subjectOf: () => 'rolls',
  reasonKeyOf: ({ cause }) => cause,
});

/** The message of a command or the scale API that has changed a roll. `now`: epoch milliseconds. */
export const askedMessage = (now: number): OutgoingMessage =>
  rollMessage({ cause: 'asked', noticedAt: new Date(now).toISOString() });

/** The message of a notice, in the only message group. */
export const rollMessage = (notice: RollNotice): OutgoingMessage =>
  format.message(notice, notice.noticedAt, JSON.stringify(notice));

/** Reads a message of the queue of rolls; never throws. */
export const readRollMessage = (body: string): MessageReading<RollNotice> =>
  readMessage(body, { 1: format.read });

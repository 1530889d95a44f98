import * as z from 'zod/mini';
import { digestOf, type MessageReading, messageFormat, readMessage } from '../../passes/message-format.ts';
import type { OutgoingMessage } from '../../passes/queue.ts';
import {
  type PodsReading,
  type PodsReadingJson,
  podsReadingJson,
  podsReadingOf,
  podsReadingSchema,
} from '../pod-holds/pods-reading.ts';
import { segmentOf } from './parameters.ts';

/** The reason for a pass over the capacity of a group: the scan of each minute found work, or an operator asked for it. */
export interface CapacityNotice {
  readonly cause: 'looked' | 'asked';
  readonly autoScalingGroupName: string;
  /** ISO 8601 in UTC. */
  readonly noticedAt: string;
  /** What the scan found of the pods of holds. A Drover that does not know it ignores it. */
  readonly pods?: PodsReadingJson | undefined;
}

const format = messageFormat<CapacityNotice>({
  version: 1,
  work: 'capacity',
  notice: () =>
    z.object({
      cause: z.enum(['looked', 'asked']),
      autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
      noticedAt: z.iso.datetime(),
      pods: z.optional(podsReadingSchema()),
    }),
  subjectOf({ autoScalingGroupName }) {
    const segment = segmentOf(autoScalingGroupName);
    return segment.length <= 128 ? segment : digestOf(segment);
  },
  reasonKeyOf: ({ cause }) => cause,
});

/** The message of a notice, in the message group of its Auto Scaling group. */
export const capacityMessage = (
  notice: Omit<CapacityNotice, 'pods'>,
  reading?: PodsReading,
): OutgoingMessage => {
  const whole = { ...notice, ...(reading && { pods: podsReadingJson(reading) }) };
  return format.message(whole, whole.noticedAt, JSON.stringify(whole));
};

/** Reads a message of the capacity queue; never throws. */
export const readCapacityMessage = (body: string): MessageReading<CapacityNotice> =>
  readMessage(body, { 1: format.read });

/** The newest reading of several notices about one group. */
export const newestReading = (notices: readonly CapacityNotice[]): PodsReading | undefined =>
  notices
    .flatMap(({ pods }) => (pods === undefined ? [] : [podsReadingOf(pods)]))
    .toSorted((one, other) => other.readAt - one.readAt)[0];

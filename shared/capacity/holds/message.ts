import { type GroupNotice, groupMessages } from '../../passes/group-messages.ts';
import { digestOf, type MessageReading, readMessage } from '../../passes/message-format.ts';
import { segmentOf } from './parameters.ts';

/** The reason for a pass over the capacity of a group: the scan of each minute found work, or an operator asked for it. */
export type CapacityNotice = GroupNotice<'looked' | 'asked'>;

const { read, write } = groupMessages({
  version: 1,
  work: 'capacity',
  causes: ['looked', 'asked'],
  subjectOf(autoScalingGroupName) {
    const segment = segmentOf(autoScalingGroupName);
    return segment.length <= 128 ? segment : digestOf(segment);
  },
});

/** The message of a notice, in the message group of its Auto Scaling group. */
export const capacityMessage = write;

/** Reads a message of the capacity queue; never throws. */
export const readCapacityMessage = (body: string): MessageReading<CapacityNotice> =>
  readMessage(body, { 1: read });

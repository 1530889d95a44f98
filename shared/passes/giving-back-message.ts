import { digestOf, type GroupNotice, groupMessages } from './group-messages.ts';

/**
 * Why the empty nodes of a group are looked at:
 * - `give-back`: its last hold has ended;
 * - `put-back`: a node was reserved, and no pass went on with it.
 */
export type GivingBackNotice = GroupNotice<'give-back' | 'put-back'>;

/** Version 2 of what travels on the queue of leaving nodes: a Drover that reads only version 1 keeps it, and does not park it. */
export const { read: readGivingBack, write: givingBackMessage } = groupMessages({
  version: 2,
  work: 'giving-back',
  causes: ['give-back', 'put-back'],
  subjectOf: (autoScalingGroupName) => `giving-back-${digestOf(autoScalingGroupName).slice(0, 32)}`,
});

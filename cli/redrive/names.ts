/** The dead-letter queues that have a queue to move messages back to, by the words of the alarms. */
export const deadLetterQueueNames = [
  'inbox',
  'leaving',
  'joining',
  'heartbeats',
  'etcd',
  'capacity',
  'roll',
] as const;
export type DeadLetterQueueName = (typeof deadLetterQueueNames)[number];

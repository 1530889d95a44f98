/** The dead-letter queues, by the words of the alarms. */
export const deadLetterQueueNames = ['inbox', 'leaving', 'joining', 'etcd', 'capacity'] as const;
export type DeadLetterQueueName = (typeof deadLetterQueueNames)[number];

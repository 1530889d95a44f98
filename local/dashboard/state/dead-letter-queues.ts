import type { Cloud } from '@drover/cloud-sandbox';

type Account = Pick<Cloud['account'], 'sqs' | 'events'>;

/** The names of the queues that other queues, or the targets of event rules, give up their messages to. */
export function deadLetterQueueNames({ sqs, events }: Account): ReadonlySet<string> {
  const ofQueues = sqs.controls.queueNames().filter((name) => {
    const sources = sqs.operations.ListDeadLetterSourceQueues({ QueueUrl: sqs.controls.queueUrl(name) });
    return sources.queueUrls.length > 0;
  });
  const ofRules = events.operations
    .ListRules({})
    .Rules.flatMap(({ Name }) => events.operations.ListTargetsByRule({ Rule: Name }).Targets)
    .flatMap(({ DeadLetterConfig }) => DeadLetterConfig?.Arn?.split(':').at(-1) ?? []);
  return new Set([...ofQueues, ...ofRules]);
}

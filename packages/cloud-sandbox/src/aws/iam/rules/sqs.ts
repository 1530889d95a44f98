import { tagContext } from '../context.ts';
import { type Requirement, type RuleQuestion, type ServiceRule, text } from './rule.ts';

/** Batches need the permission of the single operation (SQS developer guide, API permissions). */
const actionOf = (operation: string): string => `sqs:${operation.replace(/Batch$/, '')}`;

const queueArnOf = ({ input, accountId, region }: RuleQuestion): string => {
  const name = text(input, 'QueueUrl')?.split('/').at(-1) ?? text(input, 'QueueName') ?? '*';
  return `arn:aws:sqs:${region}:${accountId}:${name}`;
};

/** Amazon SQS: every action is authorized on a queue, except the list of queues. */
export const sqsRule: ServiceRule = (question) => {
  const action = actionOf(question.operation);
  if (question.operation === 'ListQueues') return [{ action, resource: '*' }];
  const resource = queueArnOf(question);
  const requirement: Requirement = {
    action,
    resource,
    context: tagContext(['aws:ResourceTag'], question.lookup.tags(resource)),
  };
  return [requirement];
};

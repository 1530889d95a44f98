import type { Cloud } from '../../src/cloud/cloud.ts';

export const terminationHandlerHook = 'node-termination-handler';

const queueName = 'node-termination-handler';
const ruleName = 'node-termination-handler';

/** What its installation guide has an operator make: a queue, and a rule that brings terminations into it. */
export function makeTerminationHandlerQueue({ account }: Pick<Cloud, 'account'>): string {
  const { sqs, events, accountId, region } = account;
  const queueArn = `arn:aws:sqs:${region}:${accountId}:${queueName}`;
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: ['events.amazonaws.com', 'sqs.amazonaws.com'] },
        Action: 'sqs:SendMessage',
        Resource: [queueArn],
      },
    ],
  };
  const { QueueUrl } = sqs.operations.CreateQueue({
    QueueName: queueName,
    Attributes: { Policy: JSON.stringify(policy), MessageRetentionPeriod: '300' },
  });
  events.operations.PutRule({
    Name: ruleName,
    EventPattern: JSON.stringify({
      source: ['aws.autoscaling'],
      'detail-type': ['EC2 Instance-terminate Lifecycle Action'],
    }),
  });
  events.operations.PutTargets({ Rule: ruleName, Targets: [{ Id: '1', Arn: queueArn }] });
  return QueueUrl;
}

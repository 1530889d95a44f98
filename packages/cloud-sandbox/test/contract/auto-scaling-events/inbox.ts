import { type EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { newName } from '../support/new-name.ts';

/** EventBridge, and the SQS that it sends to. */
export interface EventSource {
  readonly events: EventBridgeClient;
  readonly sqs: SQSClient;
}

const eventSchema = z.looseObject({
  'detail-type': z.string(),
  source: z.string(),
  resources: z.array(z.string()),
  detail: z.record(z.string(), z.unknown()),
});

/** An event as a target receives it. */
export type ReceivedEvent = z.infer<typeof eventSchema>;

/** Takes the events that have arrived since the last call. */
export type TakeEvents = () => Promise<readonly ReceivedEvent[]>;

/** Events of Auto Scaling, and the states of instances. */
const pattern = {
  source: ['aws.autoscaling', 'aws.ec2'],
  'detail-type': [{ prefix: 'EC2 Instance-' }, { prefix: 'EC2 Instance ' }],
};

/** A queue that receives the events of the account from now on. */
export async function openInbox({ events, sqs }: EventSource): Promise<TakeEvents> {
  const name = newName();
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const AttributeNames = ['QueueArn' as const];
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  const queueArn = Attributes?.QueueArn;
  const EventPattern = JSON.stringify(pattern);
  const { RuleArn } = await events.send(new PutRuleCommand({ Name: name, EventPattern }));
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
        Condition: { ArnEquals: { 'aws:SourceArn': RuleArn } },
      },
    ],
  };
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: JSON.stringify(policy) } }));
  await events.send(new PutTargetsCommand({ Rule: name, Targets: [{ Id: 'inbox', Arn: queueArn }] }));
  return async () => {
    const taken: ReceivedEvent[] = [];
    for (;;) {
      const input = { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 };
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(input));
      if (Messages.length === 0) return taken;
      for (const { Body = '', ReceiptHandle } of Messages) {
        taken.push(eventSchema.parse(JSON.parse(Body)));
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    }
  };
}

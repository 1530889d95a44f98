import {
  CreateScheduleCommand,
  type CreateScheduleInput,
  type SchedulerClient,
} from '@aws-sdk/client-scheduler';
import {
  CreateQueueCommand,
  type CreateQueueCommandInput,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { newName } from '../support/new-name.ts';

/** One EventBridge Scheduler, simulated or not, and the SQS that it sends to. */
export interface SchedulerWorld {
  readonly client: SchedulerClient;
  readonly sqs: SQSClient;
  readonly clock: { now(): number };
  /** Lets seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
}

export const role = 'arn:aws:iam::000000000000:role/scheduler';
const unread = 'arn:aws:sqs:us-east-1:000000000000:unread';

/** An input that every world accepts: an hourly schedule for a queue without a consumer. */
export const hourly = (Name: string, settings: Partial<CreateScheduleInput> = {}): CreateScheduleInput => ({
  Name,
  ScheduleExpression: 'rate(1 hour)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: unread, RoleArn: role, Input: '{"nodes":5}' },
  ...settings,
});

export const create = ({ client }: SchedulerWorld, input: CreateScheduleInput) =>
  client.send(new CreateScheduleCommand(input));

/** `2026-01-05T10:00:00`: what clocks of a zone so far from UTC show then. */
export const localTime = (milliseconds: number, hoursFromUtc = 0): string =>
  new Date(milliseconds + hoursFromUtc * 3_600_000).toISOString().slice(0, 19);

/** A new queue: its ARN, and a function that takes the messages that have arrived since its last call. */
export async function openQueue({ sqs }: SchedulerWorld, settings: Partial<CreateQueueCommandInput> = {}) {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: newName(), ...settings }));
  const AttributeNames = ['QueueArn' as const];
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  const receive = async () => {
    const MessageSystemAttributeNames = ['All' as const];
    const input = { QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames };
    return (await sqs.send(new ReceiveMessageCommand(input))).Messages ?? [];
  };
  return { arn: Attributes?.QueueArn ?? '', receive };
}

/** Lets time pass until a message comes; rejects after 30 seconds without one. */
export async function nextMessage(
  { pass }: SchedulerWorld,
  receive: () => Promise<readonly Message[]>,
): Promise<Message> {
  for (let second = 0; second < 30; second += 1) {
    const [message] = await receive();
    if (message) return message;
    await pass(1);
  }
  throw new Error('no message came within 30 seconds');
}

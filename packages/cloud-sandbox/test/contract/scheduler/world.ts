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
  /** A role that lets Scheduler send to the queues of the cases. */
  readonly roleArn: string;
  /** Defaults to us-east-1. */
  readonly region?: string;
  /** How late a schedule may run. Defaults to three seconds; AWS documents a precision of a minute. */
  readonly precisionSeconds?: number;
}

/** A role for worlds that check none. */
export const anyRole = 'arn:aws:iam::000000000000:role/scheduler';

/** So many seconds from now a schedule is still ahead once it is created. */
export const soon = ({ precisionSeconds = 3 }: SchedulerWorld): number => precisionSeconds;

/** A queue in the account of the role. Nothing is sent to it within an hour. */
const unread = ({ roleArn, region = 'us-east-1' }: SchedulerWorld): string =>
  `arn:aws:sqs:${region}:${roleArn.split(':')[4]}:unread`;

/** An input that every world accepts: an hourly schedule for a queue without a consumer. */
export const hourly = (
  world: SchedulerWorld,
  Name: string,
  settings: Partial<CreateScheduleInput> = {},
): CreateScheduleInput => ({
  Name,
  ScheduleExpression: 'rate(1 hour)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: unread(world), RoleArn: world.roleArn, Input: '{"nodes":5}' },
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

/** Lets time pass until a message comes; rejects if it is later than the precision allows. */
export async function nextMessage(
  world: SchedulerWorld,
  receive: () => Promise<readonly Message[]>,
): Promise<Message> {
  const seconds = 25 + 2 * soon(world);
  for (let second = 0; second < seconds; second += 1) {
    const [message] = await receive();
    if (message) return message;
    await world.pass(1);
  }
  throw new Error(`no message came within ${seconds} seconds`);
}

import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  type Message,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { queueHandle } from '../../aws/support/queue-fixture.ts';
import { newName } from '../support/new-name.ts';

/** One SQS, simulated or not, by the client of the SDK. */
export interface SqsWorld {
  readonly client: SQSClient;
  /** Lets seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
}

type Attributes = Record<string, string>;

/** A new standard queue, by default with a visibility timeout of 30 s. */
export async function openQueue({ client }: SqsWorld, attributes: Attributes = {}) {
  const Attributes = { VisibilityTimeout: '30', ...attributes };
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: newName(), Attributes }));
  const read = async (): Promise<Attributes> => {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
    return { ...(await client.send(command)).Attributes };
  };
  return {
    ...queueHandle(client, QueueUrl),
    arn: (await read()).QueueArn ?? '',
    read,
    set: (change: Attributes) => client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: change })),
  };
}

/** A queue and its dead-letter queue: after so many receives a message goes there. */
export async function openRedrive(world: SqsWorld, maxReceiveCount: number) {
  const dead = await openQueue(world);
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount });
  const work = await openQueue(world, { RedrivePolicy, VisibilityTimeout: '1' });
  return { work, dead };
}

export const receiveCount = (message: Message | undefined): string | undefined =>
  message?.Attributes?.ApproximateReceiveCount;

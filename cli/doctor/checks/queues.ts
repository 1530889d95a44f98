import { GetQueueAttributesCommand, ListQueuesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { shellWord } from '../../shell-words.ts';
import { checkOf, type Finding } from '../check.ts';
import { restoreStack } from '../restore-stack.ts';

/** The queues of a deployment, by a part of the names that CloudFormation gives them. */
const needed = [
  'InboxQueue',
  'InboxDeadLetterQueue',
  'LeavingQueue',
  'LeavingDeadLetterQueue',
  'JoiningQueue',
  'JoiningDeadLetterQueue',
  'EtcdQueue',
  'EtcdDeadLetterQueue',
  'CapacityQueue',
  'CapacityDeadLetterQueue',
  'UndeliveredQueue',
] as const;

const isDead = (name: string): boolean => /DeadLetterQueue|UndeliveredQueue/.test(name);

interface ObservedQueue {
  readonly url: string;
  readonly arn: string;
  readonly name: string;
  /** Visible, in flight and delayed. */
  readonly messages: number;
}

interface ObservedQueues {
  readonly stage: string;
  readonly queues: readonly ObservedQueue[];
}

/** The queues of the deployment, and the messages that Drover could not understand. */
export const queues = checkOf({
  name: 'queues',
  read: async ({ sqs, stage }) => {
    const name = await stage();
    const ours = new RegExp(`/drover-${name}-(?:${needed.join('|')})(?![A-Za-z])[^/]*$`);
    // Another stage may have a name that begins with this one's.
    const urls = (await queueUrls(sqs, `drover-${name}-`)).filter((url) => ours.test(url));
    return { stage: name, queues: await Promise.all(urls.map((url) => observe(sqs, url))) };
  },
  judge: judgeQueues,
});

async function queueUrls(sqs: SQSClient, QueueNamePrefix: string): Promise<readonly string[]> {
  const urls: string[] = [];
  let NextToken: string | undefined;
  do {
    const page = await sqs.send(new ListQueuesCommand({ QueueNamePrefix, MaxResults: 1000, NextToken }));
    urls.push(...(page.QueueUrls ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  return urls;
}

const counts = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

async function observe(sqs: SQSClient, url: string): Promise<ObservedQueue> {
  const input = { QueueUrl: url, AttributeNames: ['QueueArn' as const, ...counts] };
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand(input));
  return {
    url,
    arn: Attributes.QueueArn ?? '',
    name: url.split('/').at(-1) ?? url,
    messages: counts.reduce((sum, count) => sum + Number(Attributes[count] ?? 0), 0),
  };
}

/** Pure. */
export function judgeQueues({ stage, queues: found }: ObservedQueues): readonly Finding[] {
  const missing = needed
    .filter((part) => !found.some(({ name }) => name.includes(part)))
    .map(
      (part): Finding => ({
        verdict: 'mend',
        subject: `drover-${stage}-${part}`,
        message: 'there is no such queue',
        command: restoreStack(stage),
      }),
    );
  return [...missing, ...found.map(judgeQueue)];
}

function judgeQueue({ name, url, arn, messages }: ObservedQueue): Finding {
  const message = `it holds ${messages} message${messages === 1 ? '' : 's'}`;
  if (!isDead(name) || messages === 0) return { verdict: 'ok', subject: name, message };
  const look = `aws sqs receive-message --queue-url ${shellWord(url)} --message-attribute-names All`;
  // EventBridge and Lambda put messages into UndeliveredQueue themselves: it has no source queue to move them to.
  const isUndelivered = name.includes('UndeliveredQueue');
  return {
    verdict: 'mend',
    subject: name,
    message: `${message}, which say why they were parked; once the cause is gone, ${isUndelivered ? 'purge the queue: the sweep has found what was lost' : `move them back: aws sqs start-message-move-task --source-arn ${arn}`}`,
    command: look,
  };
}

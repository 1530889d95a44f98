import {
  GetQueueAttributesCommand,
  paginateListDeadLetterSourceQueues,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { deadLetterProblems, isDeadLetterPart } from '../../../shared/problems/dead-letter-problems.ts';
import { findQueues, type QueuePart, queueParts } from '../../queues/find-queues.ts';
import { checkOf, type Finding, findingOf } from '../check.ts';
import { restoreStack } from '../restore-stack.ts';

interface ObservedQueue {
  readonly part: QueuePart;
  readonly url: string;
  readonly name: string;
  /** Visible, in flight and delayed. */
  readonly messages: number;
  /** The URLs of the queues that name it as their dead-letter queue. */
  readonly sources: readonly string[];
  /** No queue may name it as its dead-letter queue (RedriveAllowPolicy). */
  readonly deniesSources: boolean;
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
    const found = await findQueues(sqs, name);
    return { stage: name, queues: await Promise.all(found.map((queue) => observe(sqs, queue))) };
  },
  judge: judgeQueues,
});

const counts = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

async function observe(
  sqs: SQSClient,
  { part, url }: Pick<ObservedQueue, 'part' | 'url'>,
): Promise<ObservedQueue> {
  const input = { QueueUrl: url, AttributeNames: [...counts, 'RedriveAllowPolicy' as const] };
  const [{ Attributes = {} }, sources] = await Promise.all([
    sqs.send(new GetQueueAttributesCommand(input)),
    sourcesOf(sqs, url),
  ]);
  return {
    part,
    sources,
    deniesSources: /"redrivePermission"\s*:\s*"denyAll"/.test(Attributes['RedriveAllowPolicy'] ?? ''),
    url,
    name: url.split('/').at(-1) ?? url,
    messages: counts.reduce((sum, count) => sum + Number(Attributes[count] ?? 0), 0),
  };
}

async function sourcesOf(sqs: SQSClient, QueueUrl: string): Promise<readonly string[]> {
  const urls: string[] = [];
  const pages = paginateListDeadLetterSourceQueues({ client: sqs, pageSize: 1000 }, { QueueUrl });
  for await (const { queueUrls = [] } of pages) urls.push(...queueUrls);
  return urls;
}

/** Only a deployment with the parameter `rolls` has these. */
const optionalParts: readonly QueuePart[] = ['RollQueue', 'RollDeadLetterQueue'];

/** Pure. */
export function judgeQueues({ stage, queues: found }: ObservedQueues): readonly Finding[] {
  const missing = queueParts
    .filter((part) => !optionalParts.includes(part) && !found.some(({ name }) => name.includes(part)))
    .map(
      (part): Finding => ({
        verdict: 'fix',
        subject: `drover-${stage}-${part}`,
        message: 'there is no such queue',
        command: restoreStack(stage),
      }),
    );
  return [
    ...missing,
    ...found.map((queue) => judgeQueue(queue, stage)),
    ...found.flatMap((queue) => judgeSources(queue, { stage, queues: found })),
  ];
}

function judgeQueue(queue: ObservedQueue, stage: string): Finding {
  const [problem] = isDeadLetterPart(queue.part) ? deadLetterProblems([{ ...queue, stage }]) : [];
  if (problem) return findingOf(problem);
  const message = `it holds ${queue.messages} message${queue.messages === 1 ? '' : 's'}`;
  return { verdict: 'ok', subject: queue.name, message };
}

/** A sender of a queue that names one of ours as its dead-letter queue can send to ours, around the policy of ours. */
function judgeSources(
  { part, name, sources, deniesSources }: ObservedQueue,
  { stage, queues: found }: ObservedQueues,
): readonly Finding[] {
  const isDeadLetterQueue = part.includes('DeadLetter');
  // A retained queue of a former stack may have the same part.
  const own = found.filter((queue) => isDeadLetterQueue && queue.part === part.replace('DeadLetter', ''));
  const foreign = sources
    .filter((source) => !own.some(({ url }) => url === source))
    .map(
      (source): Finding => ({
        verdict: 'fix',
        subject: name,
        message: `queue ${source.split('/').at(-1)} names it as its dead-letter queue: whatever may send to that queue can send to this one`,
        command: `aws sqs set-queue-attributes --queue-url ${shellWord(source)} --attributes RedrivePolicy=`,
      }),
    );
  if (deniesSources || isDeadLetterQueue) return foreign;
  const open: Finding = {
    verdict: 'fix',
    subject: name,
    message: 'any queue of the account may name it as its dead-letter queue (RedriveAllowPolicy)',
    command: restoreStack(stage),
  };
  return [...foreign, open];
}

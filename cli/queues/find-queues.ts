import { ListQueuesCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** The queues of a deployment, by a part of the names that CloudFormation gives them. */
export const queueParts = [
  'InboxQueue',
  'InboxDeadLetterQueue',
  'LeavingQueue',
  'LeavingDeadLetterQueue',
  'JoiningQueue',
  'JoiningDeadLetterQueue',
  'HeartbeatsQueue',
  'HeartbeatsDeadLetterQueue',
  'EtcdQueue',
  'EtcdDeadLetterQueue',
  'CapacityQueue',
  'CapacityDeadLetterQueue',
  'RollQueue',
  'RollDeadLetterQueue',
  'UndeliveredQueue',
] as const;
export type QueuePart = (typeof queueParts)[number];

/** The URLs of the queues of a stage. Another stage may have a name that begins with this one's. */
export async function findQueues(
  sqs: SQSClient,
  stage: string,
): Promise<readonly { readonly part: QueuePart; readonly url: string }[]> {
  const begin = `drover-${stage}-`;
  return (await queueUrls(sqs, begin)).flatMap((url) => {
    const name = url.slice(url.lastIndexOf('/') + 1);
    const own = name.startsWith(begin) ? /^[A-Za-z]+/.exec(name.slice(begin.length))?.[0] : undefined;
    const part = queueParts.find((one) => one === own);
    return part === undefined ? [] : [{ part, url }];
  });
}

/** A queue of a deployment, and the stage of that. */
export interface StageQueue {
  readonly stage: string;
  readonly part: QueuePart;
  readonly url: string;
}

const allBegin = 'drover-';

/** The queues of all deployments in the account and region, by their names. */
export const findAllQueues = async (sqs: SQSClient): Promise<readonly StageQueue[]> =>
  (await queueUrls(sqs, allBegin)).flatMap((url) => {
    const name = url.slice(url.lastIndexOf('/') + 1);
    return queueParts.flatMap((part) => {
      const end = name.lastIndexOf(`-${part}`);
      const isPart = end > allBegin.length && ['', '-', '.'].includes(name.charAt(end + part.length + 1));
      return isPart ? [{ stage: name.slice(allBegin.length, end), part, url }] : [];
    });
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

/** The queues of all stages, deployed or left behind by a stack that was deleted, with the stage in their names. */
export async function allQueues(
  sqs: SQSClient,
): Promise<readonly { readonly stage: string; readonly url: string }[]> {
  const pattern = new RegExp(`^drover-(.+?)-(?:${queueParts.join('|')})(?:[-.]|$)`);
  return (await queueUrls(sqs, 'drover-')).flatMap((url) => {
    const stage = pattern.exec(url.slice(url.lastIndexOf('/') + 1))?.[1];
    return stage === undefined ? [] : [{ stage, url }];
  });
}

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

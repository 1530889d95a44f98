import type { SQSClient } from '@aws-sdk/client-sqs';
import { messagesIn, type QueueCounts, readCounts } from '../../shared/aws/queue-counts.ts';
import { type DeadLetterQueue, isDeadLetterPart } from '../../shared/problems/dead-letter-problems.ts';
import { findAllQueues, type StageQueue } from '../queues/find-queues.ts';
import { onlyStage } from './only-stage.ts';

/** A queue of a deployment, with the numbers of its messages. */
export interface CountedQueue extends StageQueue, QueueCounts {
  readonly name: string;
}

/**
 * The queues of a deployment, or those of some parts, with the numbers of their messages: a call for the list, and one for each queue.
 *
 * @throws CliError if there is no deployment, or there are several and no stage is given.
 */
export async function readQueues(
  sqs: SQSClient,
  stage?: string,
  isWanted: (part: string) => boolean = () => true,
): Promise<readonly CountedQueue[]> {
  const queues = ofStage(await findAllQueues(sqs), stage);
  return await Promise.all(
    queues
      .filter(({ part }) => isWanted(part))
      .map(async (queue) => ({
        ...queue,
        name: queue.url.slice(queue.url.lastIndexOf('/') + 1),
        ...(await readCounts(sqs, queue.url)),
      })),
  );
}

/** The dead-letter queues among them. Pure. */
export const deadLettersIn = (queues: readonly CountedQueue[]): readonly DeadLetterQueue[] =>
  queues
    .filter(({ part }) => isDeadLetterPart(part))
    .map(({ stage, part, url, name, ...counts }) => ({
      stage,
      part,
      url,
      name,
      messages: messagesIn(counts),
    }));

function ofStage(queues: readonly StageQueue[], wanted: string | undefined): readonly StageQueue[] {
  const stages = [...new Set(queues.map(({ stage }) => stage))];
  const stage = onlyStage('queues', stages, wanted);
  return queues.filter((queue) => queue.stage === stage);
}

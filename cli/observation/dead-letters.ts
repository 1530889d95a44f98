import type { SQSClient } from '@aws-sdk/client-sqs';
import { countMessages } from '../../shared/aws/queue-counts.ts';
import { type DeadLetterQueue, isDeadLetterPart } from '../../shared/problems/dead-letter-problems.ts';
import { findAllQueues, type StageQueue } from '../queues/find-queues.ts';
import { onlyStage } from './only-stage.ts';

/**
 * The dead-letter queues of a deployment, with the number of their messages: a call for the list, and one for each queue.
 *
 * @throws CliError if there is no deployment, or there are several and no stage is given.
 */
export async function readDeadLetters(sqs: SQSClient, stage?: string): Promise<readonly DeadLetterQueue[]> {
  const queues = ofStage(await findAllQueues(sqs), stage);
  return await Promise.all(
    queues
      .filter(({ part }) => isDeadLetterPart(part))
      .map(async (queue) => ({
        ...queue,
        name: queue.url.slice(queue.url.lastIndexOf('/') + 1),
        messages: await countMessages(sqs, queue.url),
      })),
  );
}

function ofStage(queues: readonly StageQueue[], wanted: string | undefined): readonly StageQueue[] {
  const stages = [...new Set(queues.map(({ stage }) => stage))];
  const stage = onlyStage('queues', stages, wanted);
  return queues.filter((queue) => queue.stage === stage);
}

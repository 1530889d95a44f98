import { refusalOf } from '../../shared/aws/errors.ts';
import { createSqsQueue } from '../../shared/aws/sqs.ts';
import { askedMessage } from '../../shared/roll/message.ts';
import type { CliContext } from '../context.ts';
import { oneLine } from '../plain-text.ts';
import { findQueues } from '../queues/find-queues.ts';
import { reasonOf } from '../reason-of.ts';
import type { RollAccess } from './access.ts';
import { stagesOf } from './deployed.ts';

/**
 * Wakes the function roll, so that a pass sees at once what was just written. It never fails: the scan of the next minute finds the change
 * too. The policy of the queue lets only the deployment's `operatorRole` send, so most users are denied. That needs no warning.
 *
 * @returns a clause for people if the function is not woken, and an empty text otherwise
 */
export async function wakeRolls(
  { events, sqs, clusterName }: Pick<RollAccess, 'events' | 'sqs' | 'clusterName'>,
  { clock, stderr }: Pick<CliContext, 'clock' | 'stderr'>,
): Promise<string> {
  try {
    const stages = await stagesOf(events, clusterName);
    const queues = (await Promise.all(stages.map((stage) => findQueues(sqs, stage)))).flat();
    const urls = queues.flatMap(({ part, url }) => (part === 'RollQueue' ? url : []));
    const results = await Promise.all(
      urls.map((queueUrl) => createSqsQueue({ client: sqs, queueUrl }).send([askedMessage(clock.now())])),
    );
    const [failure] = results.flat();
    if (failure) throw failure.error;
    if (urls.length === 0) throw new Error('no deployment that serves the cluster has a queue of rolls');
    return '';
  } catch (error) {
    if (!isDenied(error))
      stderr.write(`warning: the function roll could not be woken: ${oneLine(reasonOf(error))}\n`);
    return '; the next pass comes within a minute';
  }
}

const isDenied = (error: unknown): boolean =>
  refusalOf(error) === 'denied' || (error instanceof Error && refusalOf(error.cause) === 'denied');

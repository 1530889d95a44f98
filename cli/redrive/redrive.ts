import type { SQSClient } from '@aws-sdk/client-sqs';
import type { CliContext } from '../context.ts';
import { doctorContextOf } from '../doctor/doctor-context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { type InterruptibleContext, interruptible } from '../interruption.ts';
import { findQueues, type QueuePart } from '../queues/find-queues.ts';
import { viewOf } from '../table/column.ts';
import { countMessages, type DeadLetterQueue } from './dead-letters.ts';
import { type DeadLetterQueueName, deadLetterQueueNames } from './names.ts';
import { type RedrivenMessage, reportJson, reportText } from './report.ts';
import { type Moves, workThrough } from './work-through.ts';

export interface RedriveFlags {
  readonly cluster?: string;
  readonly region?: string;
  readonly stage?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Moves what is parked back to its queue, or with `--dry-run` lists it. What was done is printed also where the rest fails. */
export async function redrive(
  only: DeadLetterQueueName | undefined,
  flags: RedriveFlags,
  context: CliContext,
): Promise<void> {
  const { sqs, stage } = doctorContextOf(flags, context);
  const queues = await deadLetterQueues(sqs, await stage());
  const wanted = queues.filter(({ name }) => only === undefined || name === only);
  if (wanted.length === 0)
    throw new CliError('the deployment has no rolls, and no queue for them', exitCodes.failed);
  await interruptible(context, async (interruptibly) => {
    const done: RedrivenMessage[] = [];
    const moves: Moves = { sqs, dryRun: flags.dryRun === true, onMessage: (message) => done.push(message) };
    try {
      for (const queue of wanted) await workThrough(queue, moves, interruptibly);
    } catch (error) {
      say(done, { left: undefined }, flags, interruptibly);
      throw error;
    }
    say(done, { left: await leftIn(sqs, wanted, done) }, flags, interruptibly);
    const returned = done.filter(({ outcome }) => outcome === 'returned').length;
    const foreign = done.filter(({ outcome }) => outcome === 'foreign').length;
    if (foreign > 0)
      throw new CliError(
        `${foreign} of them came from queues that are not Drover's, and stay: drover doctor names those queues. Delete the messages, and do not move them`,
        exitCodes.failed,
      );
    if (returned > 0)
      throw new CliError(
        `${returned} of them came back: Drover still does not understand them`,
        exitCodes.failed,
      );
  });
}

function say(
  done: readonly RedrivenMessage[],
  { left }: { readonly left: number | undefined },
  { json, dryRun = false }: { readonly json?: true; readonly dryRun?: boolean },
  { stdout }: Pick<InterruptibleContext, 'stdout'>,
): void {
  stdout.write(
    json ? reportJson(done, { left, dryRun }) : reportText(done, { left, dryRun }, viewOf(stdout)),
  );
}

/** What a group hides behind a message that was received, or what came meanwhile; about. */
async function leftIn(
  sqs: SQSClient,
  queues: readonly DeadLetterQueue[],
  done: readonly RedrivenMessage[],
): Promise<number> {
  const counts = await Promise.all(queues.map((queue) => countMessages(sqs, queue)));
  const seen = done.filter(({ outcome }) => outcome !== 'moved').length;
  return Math.max(0, counts.reduce((sum, count) => sum + count, 0) - seen);
}

/**
 * The dead-letter queues with their sources. A deployment without rolls has no queue for them.
 *
 * @throws CliError where the deployment lacks another one
 */
async function deadLetterQueues(sqs: SQSClient, stage: string): Promise<readonly DeadLetterQueue[]> {
  const found = new Map((await findQueues(sqs, stage)).map(({ part, url }) => [part, url]));
  const urlOf = (part: QueuePart): string => {
    const url = found.get(part);
    if (url !== undefined) return url;
    throw new CliError(
      `there is no queue drover-${stage}-${part}: drover doctor says how to restore it`,
      exitCodes.failed,
    );
  };
  return deadLetterQueueNames
    .filter((name) => name !== 'roll' || found.has('RollQueue'))
    .map((name) => {
      const part = `${name.charAt(0).toUpperCase()}${name.slice(1)}` as Capitalize<DeadLetterQueueName>;
      return { name, url: urlOf(`${part}DeadLetterQueue`), sourceUrl: urlOf(`${part}Queue`) };
    });
}

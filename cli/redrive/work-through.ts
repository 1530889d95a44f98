import type { SQSClient } from '@aws-sdk/client-sqs';
import { messageOf } from '../../shared/base/message-of.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { endIfInterrupted, type InterruptibleContext } from '../interruption.ts';
import {
  type DeadLetter,
  type DeadLetterQueue,
  isForeign,
  receive,
  release,
  remove,
  sendBack,
} from './dead-letters.ts';
import type { RedrivenMessage } from './report.ts';

export interface Moves {
  readonly sqs: SQSClient;
  readonly dryRun: boolean;
  readonly onMessage: (message: RedrivenMessage) => void;
}

/** More are left for the next run: a message that something sends without end must not keep the command. */
const mostMessages = 10_000;
/** A standard queue may answer with nothing while it has messages: a receive asks some of its servers. */
const mostEmptyAnswers = 3;
const pauseMilliseconds = 500;

/**
 * Receives until nothing comes. A message is sent to its queue and then deleted here: killed in between, it is in both, and the next run sends it
 * again. Messages that stay are hidden until the end, so that each is seen once, and then shown again.
 */
export async function workThrough(
  queue: DeadLetterQueue,
  moves: Moves,
  context: InterruptibleContext,
): Promise<void> {
  const staying: DeadLetter[] = [];
  const sentIds = new Set<string>();
  let received: readonly DeadLetter[] = [];
  try {
    for (let empty = 0, count = 0; empty < mostEmptyAnswers && count < mostMessages; ) {
      received = await receive(moves.sqs, queue);
      // In a long list the first ones are shown again before the end.
      const isNew = received.some(
        (letter) => !staying.some(({ messageId }) => messageId === letter.messageId),
      );
      empty = isNew ? 0 : empty + 1;
      count += received.length;
      while (received.length > 0) {
        endIfInterrupted(context, 'what was not moved stays parked');
        const [letter] = received;
        if (letter) await workOn(letter, { queue, moves, staying, sentIds });
        received = received.slice(1);
      }
      if (empty > 0) await context.pause(pauseMilliseconds);
    }
  } finally {
    await releaseAll([...staying, ...received], { queue, sqs: moves.sqs, context });
  }
}

async function workOn(
  letter: DeadLetter,
  work: {
    readonly queue: DeadLetterQueue;
    readonly moves: Moves;
    readonly staying: DeadLetter[];
    readonly sentIds: Set<string>;
  },
): Promise<void> {
  const { queue, moves, staying, sentIds } = work;
  const { sqs, dryRun, onMessage } = moves;
  const isBack = letter.originalMessageId !== undefined && sentIds.has(letter.originalMessageId);
  const known = staying.findIndex(({ messageId }) => messageId === letter.messageId);
  if (known >= 0) {
    staying[known] = letter;
    return;
  }
  const stays = reasonToStay({ queue, letter, isBack, dryRun });
  if (stays) {
    staying.push(letter);
    onMessage({ queue: queue.name, letter, outcome: stays });
    return;
  }
  sentIds.add((await sent(queue, letter, sqs)) ?? '');
  onMessage({ queue: queue.name, letter, outcome: 'moved' });
  await remove(sqs, queue, letter);
}

/** Undefined for a message that is moved. */
function reasonToStay({
  queue,
  letter,
  isBack,
  dryRun,
}: {
  readonly queue: DeadLetterQueue;
  readonly letter: DeadLetter;
  readonly isBack: boolean;
  readonly dryRun: boolean;
}): Exclude<RedrivenMessage['outcome'], 'moved'> | undefined {
  if (isForeign(queue, letter)) return 'foreign';
  if (isBack) return 'returned';
  return dryRun ? 'parked' : undefined;
}

async function sent(queue: DeadLetterQueue, letter: DeadLetter, sqs: SQSClient): Promise<string | undefined> {
  try {
    return await sendBack(sqs, queue, letter);
  } catch (error) {
    throw new CliError(
      `${queue.name}: message ${letter.messageId} stays parked: ${messageOf(error)}. Only operatorRole of the deployment may send to its queues`,
      exitCodes.failed,
    );
  }
}

/** Messages that cannot be shown now show themselves within a minute: that does not fail the command. */
async function releaseAll(
  letters: readonly DeadLetter[],
  {
    queue,
    sqs,
    context,
  }: { readonly queue: DeadLetterQueue; readonly sqs: SQSClient; readonly context: InterruptibleContext },
): Promise<void> {
  for (const letter of letters)
    try {
      await release(sqs, queue, letter);
    } catch (error) {
      context.stderr.write(
        `warning: ${queue.name}: message ${letter.messageId} is hidden for a minute more: ${messageOf(error)}\n`,
      );
    }
}

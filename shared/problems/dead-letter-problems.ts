import { shellWord } from '../base/shell-words.ts';
import type { FoundProblem } from './problem.ts';

/** A dead-letter queue of the deployment. */
export interface DeadLetterQueue {
  /** The part of its name that the template gives it, such as `InboxDeadLetterQueue`. */
  readonly part: string;
  readonly name: string;
  readonly url: string;
  /** The name of the stage in commands. */
  readonly stage: string;
  readonly messages: number;
}

/** EventBridge and Lambda put messages into it themselves: it has no source queue to move them to. */
const undeliveredPart = 'UndeliveredQueue';

export const isDeadLetterPart = (part: string): boolean =>
  part === undeliveredPart || part.endsWith('DeadLetterQueue');

/** A queue of a deployment, as CloudFormation names it: `drover-STAGE-PART-...`. Pure. */
export function queueOfUrl(url: string, stage: string): Omit<DeadLetterQueue, 'messages'> {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const part = name.split(/[-.]/).find(isDeadLetterPart);
  return { part: part ?? name, name, url, stage };
}

/** Queues that hold what no pass could understand. Pure. */
export const deadLetterProblems = (queues: readonly DeadLetterQueue[]): readonly FoundProblem[] =>
  queues.filter(({ messages }) => messages > 0).map(deadLetters);

function deadLetters({ part, name, url, stage, messages }: DeadLetterQueue): FoundProblem {
  const isUndelivered = part === undeliveredPart;
  return {
    kind: 'dead-letters',
    subject: name,
    message: `it holds ${messages} message${messages === 1 ? '' : 's'}, and each says why it is there; once the cause is gone, ${isUndelivered ? 'purge the queue: the sweep has found the nodes, and notifications are not sent again' : `move them back: drover redrive --stage ${stage}`}`,
    command: isUndelivered
      ? `aws sqs receive-message --queue-url ${shellWord(url)} --message-attribute-names All`
      : `drover redrive --stage ${shellWord(stage)} --dry-run`,
    alarm: isUndelivered
      ? 'undelivered'
      : `${part.replace('DeadLetterQueue', '').toLowerCase()}-dead-letters`,
  };
}

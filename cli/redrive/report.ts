import { jsonText } from '../json-text.ts';
import { named, sentence, type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import type { DeadLetter } from './dead-letters.ts';

/**
 * - `parked`: it stays, in a dry run;
 * - `moved`: it is back in its queue;
 * - `returned`: it was moved, and was parked again meanwhile;
 * - `foreign`: it stays, because it came from a queue that is not Drover's.
 */
export interface RedrivenMessage {
  readonly queue: string;
  readonly letter: DeadLetter;
  readonly outcome: 'parked' | 'moved' | 'returned' | 'foreign';
}

interface Rest {
  /** Messages that are left beside those of the report; undefined: not counted. */
  readonly left: number | undefined;
  readonly dryRun: boolean;
}

const noReason = 'none: SQS moved it after too many receives';

/** The sentence for the operator. */
function reasonOf({ letter, outcome }: RedrivenMessage): string {
  if (outcome === 'foreign')
    return `queue ${letter.sourceQueue} names this one as its dead-letter queue: drover doctor shows how to end that`;
  return letter.reason ?? noReason;
}

const head = [
  named('QUEUE', { leftOut: 2 }),
  named('SUBJECT'),
  { head: 'PARKED', leftOut: 1 },
  'STATE',
  sentence('REASON'),
];

export function reportText(
  messages: readonly RedrivenMessage[],
  { left, dryRun }: Rest,
  view: TableView,
): string {
  const rest =
    left === undefined || left === 0
      ? ''
      : `about ${left} more ${dryRun ? 'wait behind these, or are in use by something else' : 'are left: run it again'}\n`;
  if (messages.length === 0) return rest === '' ? 'no message is parked\n' : rest;
  const rows = messages.map((message) => [
    message.queue,
    message.letter.groupId ?? '-',
    message.letter.parkedAt,
    message.outcome,
    reasonOf(message),
  ]);
  return `${tableText(head, rows, view)}${rest}`;
}

/** Without the bodies, which may hold anything. */
export const reportJson = (messages: readonly RedrivenMessage[], { left, dryRun }: Rest): string =>
  jsonText({
    dryRun,
    messages: messages.map(({ queue, letter, outcome }) => ({
      queue,
      messageId: letter.messageId,
      subject: letter.groupId ?? null,
      parkedAt: letter.parkedAt,
      state: outcome,
      reason: letter.reason ?? null,
      sourceQueue: letter.sourceQueue ?? null,
    })),
    left: left ?? null,
  });

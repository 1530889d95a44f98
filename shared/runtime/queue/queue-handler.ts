import type { SQSBatchResponse } from 'aws-lambda';
import type { MessageReading } from '../../lifecycle/messages.ts';
import type { LambdaHandler } from '../lambda.ts';
import { comeBackSooner, urgentRecords } from './come-back-sooner.ts';
import { hide } from './hide.ts';
import type { QueueWorld } from './queue-world.ts';
import { readBatch } from './record.ts';
import { budgetOf, type Pass, type PassBudget, runPass } from './run-pass.ts';
import { settleGroup } from './settle-group.ts';
import type { Settlement } from './settlement.ts';
import { groupRecords, type SortedGroup, sortGroup } from './sort-group.ts';
import type { QueueNotice } from './subject.ts';

export interface QueueHandlerOptions<Notice extends QueueNotice> extends QueueWorld {
  /** The name of the work in log lines, e.g. `node-leaving`. */
  readonly work: string;
  /** Reads a message's body; never throws. */
  readonly read: (body: string) => MessageReading<Notice>;
  readonly pass: Pass<Notice>;
}

/**
 * The batch loop of a queue of passes: one pass for each subject, side by side; then `done` lets its messages go, and
 * `again` hides them for that long and reports them as batch item failures, so that the very same messages come back.
 *
 * The handler rejects only for what is no batch at all (NotABatchError): a loop that throws when every record failed would
 * make Lambda cut its polling. Why it is safe to be killed after any call: docs/adr/0006-the-pass-loop.md.
 */
export function createQueueHandler<Notice extends QueueNotice>(
  options: QueueHandlerOptions<Notice>,
): LambdaHandler<unknown, SQSBatchResponse> {
  return async (event, context) => {
    const groups = groupRecords(readBatch(event)).map((records) => sortGroup(records, options.read));
    const now = options.host.clock.now();
    await comeBackSooner(urgentRecords(groups, context, now), context, options);
    const budget = budgetOf(context, options.host.clock.now());
    const settled = await Promise.all(groups.map((group) => workOn(group, budget, options)));
    const settlements = settled.flat();
    await hide(settlements, options);
    return { batchItemFailures: settlements.filter(({ keep }) => keep).map(toFailure) };
  };
}

async function workOn<Notice extends QueueNotice>(
  group: SortedGroup<Notice>,
  budget: PassBudget,
  { work, pass, ...world }: QueueHandlerOptions<Notice>,
): Promise<readonly Settlement[]> {
  const { subject } = group;
  const outcome = subject && (await runPass({ work, subject, group, pass, budget, world }));
  for (const { messageId, groupId } of group.newer)
    world.log.warn('a message of a newer version is kept for a newer Drover', { messageId, groupId });
  return await settleGroup(group, outcome, world);
}

const toFailure = ({ record }: Settlement) => ({ itemIdentifier: record.messageId });

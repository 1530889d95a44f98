import { again, type Outcome } from '../../lifecycle/outcome.ts';
import type { LambdaContext } from '../lambda.ts';
import { reportPass } from './pass-report.ts';
import { chance, type QueueContext } from './queue-context.ts';
import { backoffSeconds } from './retry-delay.ts';
import type { SortedGroup } from './sort-group.ts';
import type { QueueNotice, Subject } from './subject.ts';

/** How long a pass has: it should answer `again` rather than begin what would not end in time. */
export interface PassBudget {
  /** Epoch milliseconds. */
  readonly endsAt: number;
  /** Aborted when the time is up: the batch is answered without waiting for the pass any longer. */
  readonly signal: AbortSignal;
}

/** One pass: does what can be done now for the subject. A pass that throws is tried again, for as long as it takes. */
export type Pass<Notice extends QueueNotice> = (
  subject: Subject<Notice>,
  budget: PassBudget,
) => Promise<Outcome>;

/** Left for hiding the messages and for the answer. */
const answerMarginMilliseconds = 5000;

export function budgetOf(context: LambdaContext, now: number): PassBudget {
  const milliseconds = Math.max(0, context.getRemainingTimeInMillis() - answerMarginMilliseconds);
  return { endsAt: now + milliseconds, signal: context.signal ?? new AbortController().signal };
}

/** Runs the pass for a group's subject and reports it. Never rejects: a failure is an `again` with backoff. */
export async function runPass<Notice extends QueueNotice>(options: {
  readonly work: string;
  readonly subject: Subject<Notice>;
  readonly group: SortedGroup<Notice>;
  readonly pass: Pass<Notice>;
  readonly budget: PassBudget;
  readonly context: QueueContext;
}): Promise<Outcome> {
  const { work, subject, group, pass, budget, context } = options;
  const startedAt = context.host.clock.now();
  const records = [...group.asking, ...group.absorbed].map(({ record }) => record);
  const ended = { work, subject, records, startedAt };
  try {
    const outcome = await unlessTimeIsUp(pass(subject, budget), budget.signal);
    reportPass({ ...ended, outcome }, context);
    return outcome;
  } catch (error) {
    const receiveCount = Math.max(...records.map((record) => record.receiveCount));
    const seconds = backoffSeconds(receiveCount, chance(context.host));
    const outcome = again(seconds, 'the pass failed and is tried again');
    reportPass({ ...ended, outcome, error }, context);
    return outcome;
  }
}

async function unlessTimeIsUp(outcome: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  const { promise: timeIsUp, reject } = Promise.withResolvers<never>();
  const onAbort = (): void =>
    reject(new Error('the time of the invocation was up before the pass had ended'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([outcome, timeIsUp]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

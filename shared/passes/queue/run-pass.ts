import { again, type Outcome } from '../outcome.ts';
import { reportPass } from './pass-report.ts';
import { chance, type QueueContext } from './queue-context.ts';
import { backoffSeconds } from './retry-delay.ts';
import type { SortedGroup } from './sort-group.ts';
import type { QueueNotice, Subject } from './subject.ts';
import { unlessTimeIsUp } from './unless-time-is-up.ts';

/**
 * One pass: does what can be done now for the subject. A pass that throws is tried again, for as long as it takes. The signal is
 * aborted when the invocation's time is up: the batch is answered without waiting for the pass any longer.
 */
export type Pass<Notice extends QueueNotice> = (
  subject: Subject<Notice>,
  signal: AbortSignal,
) => Promise<Outcome>;

/** Runs the pass for a group's subject and reports it. Never rejects: a failure is an `again` with backoff. */
export async function runPass<Notice extends QueueNotice>(options: {
  readonly work: string;
  readonly subject: Subject<Notice>;
  readonly group: SortedGroup<Notice>;
  readonly pass: Pass<Notice>;
  readonly signal: AbortSignal;
  readonly context: QueueContext;
  readonly retryWithinSeconds?: ((subject: string) => number) | undefined;
}): Promise<Outcome> {
  const { work, subject, group, pass, signal, context, retryWithinSeconds } = options;
  const startedAt = context.host.clock.now();
  const records = [...group.asking, ...group.absorbed].map(({ record }) => record);
  const ended = { work, subject, records, startedAt };
  try {
    const outcome = await unlessTimeIsUp(pass(subject, signal), signal);
    reportPass({ ...ended, outcome }, context);
    return outcome;
  } catch (error) {
    const receiveCount = Math.max(...records.map((record) => record.receiveCount));
    const backoff = backoffSeconds(receiveCount, chance(context.host));
    const seconds = Math.min(backoff, retryWithinSeconds?.(subject.id) ?? Infinity);
    const outcome = again(seconds, 'the pass failed and is tried again');
    reportPass({ ...ended, outcome, error }, context);
    return outcome;
  }
}

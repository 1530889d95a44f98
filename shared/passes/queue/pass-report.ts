import type { MetricValues } from '../../base/metrics.ts';
import type { Facts, Outcome } from '../outcome.ts';
import type { QueueContext } from '../queue.ts';
import type { QueueNotice, QueueRecord, Subject } from './batch.ts';

/** A pass that has ended. The outcome of a failed pass is `again`. */
export interface EndedPass<Notice extends QueueNotice> {
  readonly work: string;
  readonly subject: Subject<Notice>;
  readonly records: readonly QueueRecord[];
  readonly startedAt: number;
  readonly outcome: Outcome;
  readonly error?: unknown;
  /** The messages are timers: the time between their passes is chosen, and shows no delay. */
  readonly isTimer?: boolean;
}

/** Writes the log line of the pass and its metrics. */
export function reportPass<Notice extends QueueNotice>(
  pass: EndedPass<Notice>,
  { log, metrics, host }: Pick<QueueContext, 'log' | 'metrics' | 'host'>,
): void {
  const now = host.clock.now();
  const line = passLine(pass, now);
  if (pass.error === undefined) log.info('pass', line);
  else log.error('pass', pass.error, line);
  metrics.put(passMetrics(pass, now));
  if (pass.outcome.status === 'again' && !pass.isTimer) metrics.put({ Waits: 1 }, { Cause: waitCause(pass) });
}

function passLine<Notice extends QueueNotice>(pass: EndedPass<Notice>, now: number) {
  const { work, subject, records, outcome, startedAt } = pass;
  return {
    work,
    subject: subject.id,
    ...namesOf(pass),
    causes: subject.notices.map(({ cause }) => cause),
    ...(subject.deadline !== undefined && { deadline: new Date(subject.deadline).toISOString() }),
    messages: records.length,
    receiveCount: Math.max(...records.map(({ receiveCount }) => receiveCount)),
    outcome: outcome.status,
    reason: outcome.reason,
    ...(outcome.status === 'again' && { afterSeconds: outcome.afterSeconds }),
    ...(outcome.facts && { facts: outcome.facts }),
    seconds: (now - startedAt) / 1000,
  };
}

/** Names by which `drover events` finds the line: the id of the subject may be a hash of the name of its group. */
function namesOf<Notice extends QueueNotice>({ subject, outcome }: EndedPass<Notice>) {
  const autoScalingGroupName = subject.notices.find(
    (notice) => notice.autoScalingGroupName,
  )?.autoScalingGroupName;
  const instanceId = outcome.facts?.['instanceId'];
  return { ...(autoScalingGroupName && { autoScalingGroupName }), ...(instanceId && { instanceId }) };
}

/** The facts of passes that are also metrics. */
const metricOfFact = {
  podsEvicted: 'PodsEvicted',
  podsForced: 'PodsForced',
  podsRefused: 'Refused',
  drainSeconds: 'DrainSeconds',
  joinSeconds: 'JoinSeconds',
  joinOverdueSeconds: 'JoinOverdueSeconds',
  joinsAbandoned: 'JoinsAbandoned',
  joinsBackedOff: 'JoinsBackedOff',
  deadlineOverdueSeconds: 'DeadlineOverdueSeconds',
  etcdProblems: 'EtcdProblems',
  heartbeatsRefused: 'HeartbeatsRefused',
  waitsAtRisk: 'WaitsAtRisk',
} as const;

function passMetrics<Notice extends QueueNotice>(
  { subject, records, startedAt, outcome, error, isTimer }: EndedPass<Notice>,
  now: number,
): MetricValues {
  const overdue = outcome.status === 'again' && subject.deadline !== undefined && now > subject.deadline;
  return {
    ...(!isTimer && { PassAgeSeconds: delayed(records, startedAt) }),
    ...(overdue && { DeadlineOverdueSeconds: (now - (subject.deadline ?? now)) / 1000 }),
    FailedPasses: error === undefined ? 0 : 1,
    ...metricsOfFacts(outcome.facts ?? {}),
  };
}

const metricsOfFacts = (facts: Facts): MetricValues =>
  Object.fromEntries(
    Object.entries(metricOfFact).flatMap(([fact, metric]) =>
      typeof facts[fact] === 'number' ? [[metric, facts[fact]]] : [],
    ),
  );

/** Below it a pass has no delay: passes wait up to a minute by themselves, and the alarm `pass-age` needs half an hour. */
const delaySeconds = 60;

function delayed(records: readonly QueueRecord[], startedAt: number): number {
  const seconds = Math.max(...records.map((record) => passAgeSeconds(record, startedAt)));
  return seconds > delaySeconds ? seconds : 0;
}

/**
 * How long the message waited for this pass. SQS reports when it was sent, when it was first received and how often, but not when it
 * was last received. So the first pass reports the time since it was sent, and each later pass the mean since the first receive.
 */
function passAgeSeconds({ receiveCount, sentAt, firstReceivedAt }: QueueRecord, startedAt: number): number {
  const milliseconds =
    receiveCount <= 1 ? startedAt - sentAt : (startedAt - firstReceivedAt) / (receiveCount - 1);
  return Math.max(0, milliseconds / 1000);
}

/** What the pass waits for, or that it failed. There are few values, because each is a metric of its own. */
function waitCause<Notice extends QueueNotice>({ outcome, error }: EndedPass<Notice>): string {
  if (error !== undefined) return 'failure';
  const cause = outcome.facts?.waitsFor;
  return typeof cause === 'string' ? cause : 'other';
}

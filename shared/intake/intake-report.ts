import type { LeavingNotice } from '../passes/leaving-notice.ts';
import type { QueueContext } from '../passes/queue.ts';
import type { Wait } from './wake-ups.ts';

export interface LeftAlone {
  readonly what: string;
  readonly reason: string;
}

/** The result of a batch of arrivals. A failed arrival is tried again as a whole; SQS drops messages that it has already sent. */
export interface IntakeReport {
  readonly sent: readonly LeavingNotice[];
  /** The waits that were sent to the queues of etcd zones and joining nodes. */
  readonly woken: readonly Wait[];
  readonly leftAlone: readonly LeftAlone[];
  readonly poison: readonly { readonly key: string; readonly reason: string }[];
  /** The keys of warnings that must wait, because too many instances leave in a hurry. */
  readonly postponed: readonly string[];
  readonly failed: ReadonlyMap<string, Error>;
}

/** Writes one line for the batch, one for each arrival that failed or was parked, and the metrics. */
export function reportIntake(
  intake: {
    readonly arrivals: number;
    readonly report: IntakeReport;
    readonly failed: ReadonlyMap<string, Error>;
  },
  { log, metrics }: Pick<QueueContext, 'log' | 'metrics'>,
): void {
  const { arrivals, report, failed } = intake;
  const parked = report.poison.filter(({ key }) => !failed.has(key));
  log.info('intake', {
    arrivals,
    sent: report.sent.map(({ instanceId, cause }) => `${instanceId} ${cause}`),
    ...(report.woken.length > 0 && {
      woken: report.woken.map(({ instanceId, cause }) => `${instanceId} ${cause}`),
    }),
    leftAlone: report.leftAlone.map(({ what, reason }) => `${what}: ${reason}`),
    parked: parked.length,
    failed: failed.size,
  });
  if (report.postponed.length > 0) {
    log.error(
      'warnings wait',
      new Error(
        'no more instances may start to leave in a hurry within this minute; if EC2 sent these warnings, raise maxHurriedPerMinute',
      ),
      { messageIds: report.postponed },
    );
    metrics.put({ HurriedWaiting: report.postponed.length });
  }
  for (const { key, reason } of parked)
    log.warn('an event was not understood and is parked', { messageId: key, reason });
  for (const [messageId, error] of failed)
    log.error('an event could not be taken in and is tried again', error, { messageId });
  if (parked.length > 0) metrics.put({ Parked: parked.length });
}

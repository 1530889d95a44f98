import type { QueueContext } from '../passes/queue.ts';
import type { IntakeReport } from './report.ts';

/** One line for what was taken in, one more for each arrival that failed or was parked, and the metrics. */
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
        'as many instances leave in a hurry as may within a minute; if EC2 sent these warnings, raise maxHurriedPerMinute',
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

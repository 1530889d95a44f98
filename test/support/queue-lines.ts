import { createLog } from '../../shared/base/log.ts';
import { createMetrics } from '../../shared/base/metrics.ts';
import type { LeavingNotice } from '../../shared/passes/leaving-notice.ts';
import type { QueueRecord } from '../../shared/passes/queue/batch.ts';

export const startedAt = Date.parse('2026-11-21T07:00:00Z');
export const instanceId = 'i-0a1b2c3d4e5f60718';

export const record = (parts: Partial<QueueRecord> = {}): QueueRecord => ({
  messageId: 'm-1',
  receiptHandle: 'r-1',
  body: 'hello',
  receiveCount: 1,
  firstReceivedAt: startedAt,
  sentAt: startedAt,
  groupId: instanceId,
  ...parts,
});

export const notice = (parts: Partial<LeavingNotice> = {}): LeavingNotice => ({
  cause: 'terminating',
  instanceId,
  noticedAt: '2026-11-21T06:59:00.000Z',
  ...parts,
});

/** A log and metrics that are kept: what an operator and CloudWatch would read. */
export function createLines(now: number) {
  const lines: Record<string, unknown>[] = [];
  const host = {
    clock: { now: () => now },
    randomBytes: (size: number) => new Uint8Array(size),
    writeLine: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  };
  return {
    world: { log: createLog(host), metrics: createMetrics(host, 'drover'), host },
    logged: () => lines.filter((line) => !('_aws' in line)),
    measured: () =>
      lines
        .filter((line) => '_aws' in line)
        .map((line) =>
          Object.fromEntries(Object.entries(line).filter(([name]) => name !== '_aws' && name !== 'Cluster')),
        ),
  };
}

import type { RepairReport } from '../repair/repair-nodes.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** A line for every node that fails, with what becomes of it, and for every tag that does nothing. */
export function reportRepairs(
  { findings, repaired, problems }: RepairReport,
  log: Log,
  metrics: Metrics,
): void {
  for (const { autoScalingGroupName, message } of problems) log.warn(message, { autoScalingGroupName });
  for (const { since, ...finding } of findings) {
    const isRepaired = repaired.some(({ instanceId }) => instanceId === finding.instanceId);
    log.warn(isRepaired ? 'the instance of a failed node is set Unhealthy' : 'a node fails', {
      ...finding,
      ...(since !== undefined && { since: new Date(since).toISOString() }),
    });
  }
  metrics.put({
    NodesRepaired: repaired.length,
    RepairsWithheld: findings.filter(({ verdict }) => verdict === 'withheld').length,
  });
}

import { isRecent } from './is-recent.ts';
import type { LogHost } from './log.ts';

/** Every metric of Drover, with its unit. */
export const metricUnits = {
  /** The time without a pass over a subject: since its message was sent, later the mean time between its passes. */
  PassAgeSeconds: 'Seconds',
  /** The time since the deadline of a subject that still waits. */
  DeadlineOverdueSeconds: 'Seconds',
  DrainSeconds: 'Seconds',
  /** From a launch action to the completion of our hook. */
  JoinSeconds: 'Seconds',
  /** The time since the deadline of an instance that should have joined. */
  JoinOverdueSeconds: 'Seconds',
  /** Launches that were abandoned because the instance did not join in time. */
  JoinsAbandoned: 'Count',
  /** Passes that hold an instance because launches before it were abandoned in a row. */
  JoinsBackedOff: 'Count',
  PodsEvicted: 'Count',
  PodsForced: 'Count',
  /** Problems of etcd that an operator must solve. */
  EtcdProblems: 'Count',
  EtcdSnapshotAgeSeconds: 'Seconds',
  /** Pods that the settings of a drain refuse to evict. */
  Refused: 'Count',
  /** Passes that asked to be woken again, also by cause. */
  Waits: 'Count',
  /** Holds that exist. */
  Holds: 'Count',
  /** Problems of holds and floors that an operator must solve. */
  HoldProblems: 'Count',
  /** Looks at the holds in which every parameter and group was read, and every group that needs it got its pass; never 0. */
  HoldLooks: 'Count',
  /** Attempts of calls that AWS refused for their rate, also by service and operation. */
  CallsThrottled: 'Count',
  /** Heartbeats that AWS refused, for whatever reason. */
  HeartbeatsRefused: 'Count',
  /** Waits whose heartbeat was refused with less than a third of the timeout left. */
  WaitsAtRisk: 'Count',
  /** A sweep would have deleted more Nodes than it may, and stopped. */
  BoundExceeded: 'Count',
  /** Instances that were set Unhealthy because their nodes have failed for too long. */
  NodesRepaired: 'Count',
  /** Nodes that should be repaired, and are not because so many fail at once. */
  RepairsWithheld: 'Count',
  /** Warnings that wait, because as many instances leave in a hurry as may within a minute. */
  HurriedWaiting: 'Count',
  /** Events of our own that EventBridge took, for people. */
  NotificationsSent: 'Count',
  /** Notifications that EventBridge did not accept in time. */
  NotificationsFailed: 'Count',
  /** Messages and events that Drover cannot parse. */
  Parked: 'Count',
  /** Passes that failed, and sweeps that could not read or send everything. */
  FailedPasses: 'Count',
  /** The time since the bootstrap credential was published. */
  BootstrapCredentialAgeSeconds: 'Seconds',
  /** The part of that age beyond the rotation period. */
  BootstrapCredentialOverdueSeconds: 'Seconds',
  CertificatesApproved: 'Count',
  CertificatesDenied: 'Count',
  /** Names for which several keys ask: an operator decides. */
  CertificateConflicts: 'Count',
  /** The age of the oldest certificate request that waits. */
  OldestCertificateRequestSeconds: 'Seconds',
  /** Readings of a source of the token webhook's mapping that was broken as a whole. */
  IdentityMappingBroken: 'Count',
} as const;

export type MetricName = keyof typeof metricUnits;
export type MetricValues = Readonly<Partial<Record<MetricName, number>>>;

export interface MetricDimensions {
  readonly Cause?: string;
  readonly Role?: string;
  readonly Service?: string;
  readonly Operation?: string;
}

export interface Metrics {
  /** Writes one line, or none if there is no value that is worth one. */
  put(values: MetricValues, dimensions?: MetricDimensions): void;
}

/** Measurements, of which 0 is one: each of them is a node that left or joined. */
const zeroIsMeasured: ReadonlySet<string> = new Set<MetricName>(['DrainSeconds', 'JoinSeconds']);

/** How long zeros follow a value: longer than the range over which CloudWatch judges an alarm with periods of five minutes. */
const zerosFollowSeconds = 3600;

/**
 * Metrics in CloudWatch's embedded metric format: a JSON line from which CloudWatch Logs takes the numbers. In namespace
 * `Drover` by Cluster; with dimensions, by Cluster and these as well.
 *
 * A metric costs money in each hour in which it has data, so a quiet deployment writes no zeros. Only within an hour after another value
 * zeros are written: they end the alarm at once, where CloudWatch would judge the last values again until they leave its range, and
 * they show which of several runs in one period were good.
 */
export function createMetrics(host: Pick<LogHost, 'clock' | 'writeLine'>, clusterName: string): Metrics {
  const valueAt = new Map<string, number>();
  const isWorthWriting = (name: string, value: number, now: number): boolean => {
    if (value !== 0) {
      valueAt.set(name, now);
      return true;
    }
    const lastAt = valueAt.get(name) ?? -Infinity;
    return zeroIsMeasured.has(name) || isRecent(lastAt, { now, seconds: zerosFollowSeconds });
  };
  return {
    put: (values, dimensions = {}) => {
      const now = host.clock.now();
      const given = Object.entries(values).filter(
        ([name, value]) => Number.isFinite(value) && isWorthWriting(name, value, now),
      );
      if (given.length === 0) return;
      const names = Object.keys(dimensions);
      const directive = {
        Namespace: 'Drover',
        Dimensions: [['Cluster'], ...(names.length > 0 ? [['Cluster', ...names]] : [])],
        Metrics: given.map(([Name]) => ({ Name, Unit: metricUnits[Name as MetricName] })),
      };
      const about = { Timestamp: now, CloudWatchMetrics: [directive] };
      host.writeLine(
        JSON.stringify({ _aws: about, Cluster: clusterName, ...dimensions, ...Object.fromEntries(given) }),
      );
    },
  };
}

import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Clock } from '../base/clock.ts';
import type { HoldParameters } from '../capacity/holds/context.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import type { Notify } from '../notifications/notification.ts';
import type { RollLaunches } from './launches.ts';
import type { PreflightCluster } from './preflight.ts';

/** The Kubernetes API, as rolls use it. */
export interface RollCluster
  extends Pick<DrainCluster, 'listNodes' | 'patchNode' | 'listPodDisruptionBudgets'> {
  /** All pods that have not finished. */
  listPods(): Promise<readonly Pod[]>;
}

/** What a pass over the rolls of a cluster needs. */
export interface RollContext {
  readonly parameters: Pick<HoldParameters, 'listBelow' | 'write' | 'remove'>;
  readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeHooks' | 'terminate'>;
  readonly setUnhealthy: (instanceId: string) => Promise<void>;
  readonly setHealthy: (instanceId: string) => Promise<void>;
  readonly launches: RollLaunches;
  /** Which of these alarms are in alarm, and which do not exist. */
  readonly readAlarms: (
    names: readonly string[],
  ) => Promise<{ readonly inAlarm: readonly string[]; readonly unknown: readonly string[] }>;
  readonly cluster: RollCluster;
  /** The cluster as a preflight sees it. The first are all groups, whose instances the Nodes are; the second those that a roll replaces. */
  readonly readCluster: (
    groups: readonly AutoScalingGroup[],
    replaced: readonly AutoScalingGroup[],
  ) => Promise<PreflightCluster>;
  readonly notify: Notify;
  readonly clock: Clock;
  readonly settings: {
    readonly clusterName: string;
    readonly joinTimeoutSeconds: number;
    readonly leavingHookName: string;
    readonly etcdHookName: string;
  };
}

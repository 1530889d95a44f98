import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { GroupHolds } from '../../../shared/capacity/holds/floor-record.ts';
import type { ScheduleReading } from '../../../shared/capacity/schedules/schedule.ts';
import type { CertificateRequest } from '../../../shared/certificates/certificate-request.ts';
import type { Ec2Instance } from '../../../shared/groups/ec2.ts';
import type { AutoScalingGroup, LifecycleHook } from '../../../shared/groups/group.ts';
import type { ScheduledAction } from '../../../shared/groups/scheduled-action.ts';
import type { WarmPoolWait } from '../../../shared/groups/warm-pool.ts';
import type { RaisedAlarm } from '../../../shared/problems/alarm-problems.ts';
import type { ObservedApprovals } from '../../../shared/problems/approver-problems.ts';
import type { JudgedRequest } from '../../../shared/problems/certificate-problems.ts';
import type { PublishedCredential } from '../../../shared/problems/credential-problems.ts';
import type { HookNames as AllHookNames } from '../../../shared/problems/hook-problems.ts';
import type { ObservedGroups } from '../../../shared/problems/observation.ts';
import type { RollLaunches } from '../../../shared/roll/launches.ts';
import type { StoredRoll } from '../../../shared/roll/rolls-in.ts';
import type { RepairFinding } from '../../../shared/sweep/repair/judge-repairs.ts';
import type { PassView } from '../../../ui/state/types.ts';
import type { CountedQueue } from '../../observation/dead-letters.ts';
import type { Part } from '../../observation/part.ts';

/** The launches of a group, from its scaling activities. */
export interface Launches {
  readonly failedLaunch: string | undefined;
  readonly measuredLeadSeconds: number;
}

/** The groups with the tag of the cluster. */
export type SeenGroups = Pick<ObservedGroups, 'managed' | 'others'>;

/** What the deployment calls its hooks. */
export type HookNames = Omit<AllHookNames, 'clusterName'>;

/** The account and the cluster, as they were read with AWS credentials and a kubeconfig. */
export interface DirectReading {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly region: string;
  readonly clusterName: string;
  readonly hookNames: HookNames;
  readonly joinTimeoutSeconds: number;
  readonly maxSizeLimit: number;
  readonly accountId: Part<string>;
  readonly groups: Part<SeenGroups>;
  readonly holds: Part<ReadonlyMap<string, GroupHolds>>;
  readonly rolls: Part<readonly StoredRoll[]>;
  /** Of the instances of groups of rolls that have not ended, by id; undefined if there is none. */
  readonly rollLaunches?: Part<Awaited<ReturnType<RollLaunches['readInstances']>>>;
  readonly schedules: Part<readonly ScheduleReading[]>;
  /** They include those of all roles that are published or should be. */
  readonly credentials: Part<readonly PublishedCredential[]>;
  readonly queues: Part<readonly CountedQueue[]>;
  /** They include those of groups that are not managed. */
  readonly scheduledActions: Part<readonly ScheduledAction[]>;
  /** Only alarms in the state ALARM. */
  readonly alarms: Part<readonly RaisedAlarm[]>;
  readonly nodes: Part<readonly Node[]>;
  /** Groups of Nodes without the tag of the cluster; undefined if the groups are unknown. */
  readonly lost?: Part<readonly AutoScalingGroup[]>;
  /** By group. */
  readonly hooks?: Part<ReadonlyMap<string, readonly LifecycleHook[]>>;
  /** The members of the groups, and those of warm pools whose Nodes leave; undefined if the groups are unknown. */
  readonly members?: Part<readonly AutoScalingGroup[]>;
  readonly warmWaits?: Part<readonly WarmPoolWait[]>;
  readonly machines?: Part<ReadonlyMap<string, Ec2Instance>>;
  /** By group. */
  readonly launches?: Part<ReadonlyMap<string, Launches>>;
  /** Undefined if no queue says which stage the deployment has. */
  readonly passes?: Part<readonly PassView[]>;
  /** Undefined if this identity may not list roles and bindings. */
  readonly approvals?: Part<ObservedApprovals>;
  /** Undefined if the Nodes are unknown. */
  readonly cluster?: ClusterReading;
}

/** What is read of the cluster besides the Nodes. */
export interface ClusterReading {
  /** Of the nodes that leave, by their names. */
  readonly pods: Part<ReadonlyMap<string, readonly Pod[]>>;
  readonly waitingPods: Part<readonly Pod[]>;
  /** Of the namespaces whose pods are held. */
  readonly budgets: Part<readonly PodDisruptionBudget[]>;
  readonly requests: Part<readonly CertificateRequest[]>;
  /** The pending ones, with the verdicts of Drover. */
  readonly judged: Part<readonly JudgedRequest[]>;
  readonly repairs: Part<readonly RepairFinding[]>;
}

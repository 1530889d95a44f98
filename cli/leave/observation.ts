import type { GroupHolds } from '../../shared/capacity/holds/floor-record.ts';
import type { ApprovedKind } from '../../shared/certificates/built-in-approvers.ts';
import type { AutoScalingGroup, LifecycleHook } from '../../shared/groups/group.ts';
import type { InstanceWait } from '../release/waits.ts';
import type { NodeTraces } from './node-traces.ts';

/** What Drover has on one group, read before each run: nothing is remembered between runs. */
export interface GroupObservation {
  readonly group: AutoScalingGroup;
  /** Drover's hooks on the group. */
  readonly ourHooks: readonly LifecycleHook[];
  /** Instances that wait on any hook. */
  readonly waits: readonly InstanceWait[];
  /** The schedules of EventBridge Scheduler that ask for nodes of this group. */
  readonly schedules: readonly string[];
  readonly holds: GroupHolds;
  /** Undefined if the cluster is left out. */
  readonly cluster: ClusterObservation | undefined;
  /** Whether no other group of the cluster is managed. */
  readonly isLast: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What Drover has in the cluster for one group. */
export interface ClusterObservation {
  /** On the Nodes of the group's instances; with the last group also the exemptions of other Nodes. */
  readonly traces: readonly NodeTraces[];
  readonly missingApprovals: readonly ApprovedKind[];
  /** On OpenShift 3.11 nothing approves after the last group has left until its own approver runs again. */
  readonly needsAutoapprover: boolean;
}

const tagPrefix = 'drover.dev/';

/** The tags that only Drover reads. `kubernetes.io/cluster/...` stays: other tools read it. */
export const droverTags = ({ tags }: Pick<AutoScalingGroup, 'tags'>): readonly string[] =>
  Object.keys(tags).filter((key) => key.startsWith(tagPrefix));

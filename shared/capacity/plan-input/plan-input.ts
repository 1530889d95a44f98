import type { AutoScalingGroup } from '../../groups/group.ts';
import type { PlanGroup } from '../plan/new-node.ts';
import type { PodSurroundings } from '../plan/pod.ts';
import type { OccupiedNode, PlannedPod } from '../plan/types.ts';
import type { GroupLaunch } from './declared-node.ts';
import type { PlanCluster } from './plan-cluster.ts';

/** What is known of the launches of groups. */
export interface PlanLaunches {
  /**
   * What each of these groups launches next, by the name of the group. It is read only for groups without a Ready node. A call that is denied makes
   * the launch unknown; one that fails for a reason that may pass makes it reject.
   */
  readLaunches(groups: readonly AutoScalingGroup[]): Promise<ReadonlyMap<string, GroupLaunch>>;
}

/** What the input of a plan is read from. */
export interface PlanSources {
  readonly cluster: PlanCluster;
  readonly launches: PlanLaunches;
  /** All groups with the tag of the cluster, of any role. Their instances say which Node belongs to which group. */
  readonly groups: readonly AutoScalingGroup[];
  readonly clusterName: string;
  /** The names of the only groups that may grow; undefined for all worker groups. AWS is not asked what other groups launch. */
  readonly growing?: ReadonlySet<string> | undefined;
}

/** A pod that waits for a node and that no plan can be made for, with the reason. */
export interface UnplannablePod {
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
}

/** A worker group that cannot grow for a plan, with the reason. Its nodes still count. */
export interface GroupWithoutTemplate {
  readonly autoScalingGroupName: string;
  readonly reason: string;
}

/** What `planNodes` needs to know of a cluster, without the pods that are asked for. */
export interface PlanInput {
  /** All Nodes of the cluster with their pods. */
  readonly nodes: readonly OccupiedNode[];
  /** The worker groups that may grow, sorted by name. */
  readonly groups: readonly PlanGroup[];
  readonly groupsWithoutTemplate: readonly GroupWithoutTemplate[];
  /** Pods without a node that the scheduler tries to place. Pods of DaemonSets are left out: each node has them in any case. */
  readonly pending: readonly PlannedPod[];
  /** Pods without a node that something else than the scheduler's filters decides about. */
  readonly unplannable: readonly UnplannablePod[];
  /** What the meaning of further pods depends on: pass it to `plannedPodOf`. */
  readonly surroundings: PodSurroundings;
  /** What is not known, each with its consequence for the plan. */
  readonly warnings: readonly string[];
}

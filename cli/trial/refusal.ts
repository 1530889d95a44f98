import type { Node } from 'kubernetes-types/core/v1.d.ts';
import {
  type AutoScalingGroup,
  eksNodegroupOf,
  isSuspended,
  type LifecycleHook,
  otherClustersOf,
  roleOf,
  whyUnits,
} from '../../shared/groups/group.ts';
import { giveBackTagKey } from '../../shared/groups/group-settings.ts';
import { isInService } from '../../shared/groups/lifecycle-state.ts';
import { isNodeReady } from '../../shared/nodes/node-condition.ts';
import { instanceIdOf } from '../../shared/nodes/node-names.ts';
import { readRollingMark } from '../../shared/nodes/rolling-mark.ts';
import { pauseOf } from '../../shared/passes/pause.ts';
import { type HookNames, hookProblems } from '../../shared/problems/hook-problems.ts';
import { mostInstances } from './record.ts';

/** What a trial reads before it begins. */
export interface TrialGround {
  readonly group: AutoScalingGroup;
  readonly hooks: readonly LifecycleHook[];
  readonly names: HookNames;
  readonly nodes: readonly Node[];
  /** The id of an instance refresh that has not ended. */
  readonly activeRefresh: string | undefined;
}

/** Why a trial may not begin; undefined if it may. Pure. */
export const whyNoTrial = (ground: TrialGround): string | undefined =>
  whyNotThisGroup(ground) ?? whyNotNow(ground) ?? whyNotThisCluster(ground);

function whyNotThisGroup({ group, hooks, names }: TrialGround): string | undefined {
  const { desiredCapacity, minSize, tags } = group;
  const role = roleOf(group);
  if (role !== 'worker') return `its role is ${role}: only a group of workers may have an extra node`;
  const [other] = otherClustersOf(group, names.clusterName);
  if (other !== undefined) return `it also has the tag of cluster ${other}`;
  if (eksNodegroupOf(group)) return 'EKS sets its sizes: choose a group that EKS does not manage';
  if (group.hasWarmPool)
    return 'it has a warm pool, so a launch may be that of a node which has joined before: choose a group without one';
  const units = whyUnits(group);
  if (units !== undefined) return units;
  if (tags[giveBackTagKey] === 'true' && desiredCapacity > minSize)
    return `its tag ${giveBackTagKey} gives empty nodes back after each hold, and ${desiredCapacity - minSize} could go with that of the trial`;
  const [problem] = hookProblems(group, hooks, names);
  return problem && `${problem.message}${problem.command === undefined ? '' : `: ${problem.command}`}`;
}

function whyNotNow({ group, activeRefresh, nodes }: TrialGround): string | undefined {
  const { desiredCapacity, maxSize, instances } = group;
  if (group.isBeingDeleted) return 'it is being deleted';
  if (pauseOf(group.tags)) return 'it is paused';
  const suspended = (['Launch', 'Terminate'] as const).find((process) => isSuspended(group, process));
  if (suspended !== undefined) return `it suspends the process ${suspended}`;
  if (activeRefresh !== undefined) return `instance refresh ${activeRefresh} replaces its instances`;
  const ids = new Set(instances.map(({ instanceId }) => instanceId));
  const rolled = nodes.find(
    ({ metadata, spec }) =>
      ids.has(instanceIdOf(spec?.providerID) ?? '') && readRollingMark(metadata?.annotations) !== undefined,
  );
  if (rolled) return `a roll replaces its node ${rolled.metadata?.name}`;
  const unsettled = instances.find((member) => !isInService(member) || !member.healthy);
  if (unsettled)
    return `${unsettled.instanceId} is ${unsettled.healthy ? unsettled.lifecycleState : 'Unhealthy'}: wait until all instances are in service`;
  if (instances.length !== desiredCapacity)
    return `it has ${instances.length} of ${desiredCapacity} instances: wait until Auto Scaling has launched or terminated the rest`;
  if (instances.length > mostInstances)
    return `it has ${instances.length} instances, and a trial records at most ${mostInstances}: choose a smaller group`;
  return desiredCapacity < maxSize
    ? undefined
    : `it has ${desiredCapacity} nodes, and MaxSize is ${maxSize}: raise MaxSize by one`;
}

function whyNotThisCluster({ group: { instances }, nodes }: TrialGround): string | undefined {
  const known = new Set(nodes.map(({ spec }) => instanceIdOf(spec?.providerID)));
  const unknown = instances.find(({ instanceId }) => !known.has(instanceId));
  if (unknown)
    return `no Node of this kubeconfig has ${unknown.instanceId} in its providerID: check --context and --cluster, or why the node has not joined`;
  const ids = new Set(instances.map(({ instanceId }) => instanceId));
  const takesPods = nodes.some(
    (node) =>
      isNodeReady(node) &&
      node.spec?.unschedulable !== true &&
      (ids.has(instanceIdOf(node.spec?.providerID) ?? '') || !isTainted(node)),
  );
  return takesPods ? undefined : 'no other node is Ready and takes pods, so evicted pods would have no place';
}

const isTainted = ({ spec }: Node): boolean =>
  (spec?.taints ?? []).some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');

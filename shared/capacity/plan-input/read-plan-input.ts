import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { daemonSetOf } from '../../draining/daemon-sets.ts';
import { identityOf, isFinished, terminatesAt } from '../../draining/pod-facts.ts';
import type { AutoScalingGroup, GroupInstance } from '../../groups/group.ts';
import { isTerminating } from '../../groups/lifecycle-state.ts';
import { instanceIdOf, nameOfNode } from '../../nodes/node-names.ts';
import { plannedNodeOf } from '../plan/node-model.ts';
import { whyNotPlanned } from '../plan/not-planned.ts';
import { type PodSurroundings, plannedPodOf } from '../plan/pod.ts';
import { type ClusterSnapshot, planGroupOf, snapshotOf } from '../plan/snapshot.ts';
import type { PlannedNode, PlannedPod } from '../plan/types.ts';
import { isMixed, isWorkerGroup, mostNewNodesOf, whyNoGrowth } from './group-growth.ts';
import type { DeclaredNode, PlanInput, PlanLaunches, PlanSources, UnplannablePod } from './plan-input.ts';
import { byName, itemsOf, readSurroundingLists, surroundingsOf, warningsOf } from './surrounding-lists.ts';

/**
 * Reads the cluster, and joins its Nodes with the groups by the instance of their providerID: labels can be edited, and many tools set none. Nodes are
 * read before pods, so that the pods of a node which joins in between are not missing on it.
 *
 * @throws KubernetesError if the nodes or the pods cannot be read, or if another list fails for a reason that may pass.
 */
export async function readPlanInput({
  cluster,
  launches,
  groups,
  clusterName,
}: PlanSources): Promise<PlanInput> {
  const lists = await readSurroundingLists(cluster);
  const surroundings = surroundingsOf(lists);
  const csiNodes = byName(itemsOf(lists.csiNodes));
  const instances = instancesById(groups);
  const nodes = await cluster.listNodes((node): PlannedNode => {
    const instance = instances.get(instanceIdOf(node.spec?.providerID) ?? '');
    const csiNode = csiNodes.get(nameOfNode(node));
    return plannedNodeOf({
      node,
      ...(csiNode && { csiNode }),
      ...(instance && {
        autoScalingGroupName: instance.autoScalingGroupName,
        isTerminating: isTerminating(instance),
      }),
    });
  });
  const pods = await cluster.listPods((pod) => readPod(pod, surroundings));
  const snapshot = snapshotOf({
    nodes,
    pods: pods.flatMap((pod) => (pod.kind === 'bound' ? [pod.pod] : [])),
    daemonSets: itemsOf(lists.daemonSets),
    volumeAttachments: itemsOf(lists.volumeAttachments),
    surroundings,
  });
  const grown = await readGroups(launches, {
    groups: groups.filter((group) => isWorkerGroup(group, clusterName)),
    snapshot,
  });
  return {
    nodes: snapshot.nodes,
    groups: grown.groups,
    groupsWithoutTemplate: grown.groupsWithoutTemplate,
    pending: pods.flatMap((pod) => (pod.kind === 'pending' ? [pod.pod] : [])),
    unplannable: pods.flatMap((pod) => (pod.kind === 'unplannable' ? [pod.pod] : [])),
    surroundings,
    warnings: [...warningsOf(lists), ...grown.warnings],
  };
}

type ReadPod =
  | { readonly kind: 'bound' | 'pending'; readonly pod: PlannedPod }
  | { readonly kind: 'unplannable'; readonly pod: UnplannablePod };

/**
 * A pod on a node, or one that waits for a node. The scheduler gives no node to a terminating pod. A pod of a DaemonSet has its node named in its node
 * affinity, and `snapshotOf` counts it there.
 */
function readPod(pod: Pod, surroundings: PodSurroundings): ReadPod | undefined {
  if (isFinished(pod)) return undefined;
  if (pod.spec?.nodeName) return { kind: 'bound', pod: plannedPodOf(pod, surroundings) };
  if (terminatesAt(pod) !== undefined || daemonSetOf(pod) !== undefined) return undefined;
  const reason = whyNotPlanned(pod);
  if (reason === undefined) return { kind: 'pending', pod: plannedPodOf(pod, surroundings) };
  const { namespace, name } = identityOf(pod);
  return { kind: 'unplannable', pod: { namespace, name, reason } };
}

const instancesById = (groups: readonly AutoScalingGroup[]): ReadonlyMap<string, GroupInstance> =>
  new Map(
    groups.flatMap(({ autoScalingGroupName, instances }) =>
      instances.map((instance) => [instance.instanceId, { ...instance, autoScalingGroupName }] as const),
    ),
  );

/** The groups with their next nodes. Only those without a Ready node are looked up in EC2. */
async function readGroups(
  launches: PlanLaunches,
  { groups, snapshot }: { readonly groups: readonly AutoScalingGroup[]; readonly snapshot: ClusterSnapshot },
): Promise<Pick<PlanInput, 'groups' | 'groupsWithoutTemplate' | 'warnings'>> {
  const refused = groups.flatMap((group) => {
    const reason = whyNoGrowth(group);
    return reason === undefined ? [] : [{ autoScalingGroupName: group.autoScalingGroupName, reason }];
  });
  const growing = groups.filter((group) => whyNoGrowth(group) === undefined);
  const withoutNode = growing.filter((group) => !hasOpenNode(group, snapshot));
  const declared =
    withoutNode.length === 0
      ? new Map<string, DeclaredNode>()
      : await launches.readDeclaredNodes(withoutNode);
  const results = growing.map((group) => growthOf(group, declared.get(group.autoScalingGroupName), snapshot));
  const byGroupName = <T extends { readonly autoScalingGroupName: string }>(
    items: readonly T[],
  ): readonly T[] =>
    items.toSorted((one, other) => (one.autoScalingGroupName < other.autoScalingGroupName ? -1 : 1));
  return {
    groups: byGroupName(results.flatMap(({ group }) => group ?? [])),
    groupsWithoutTemplate: byGroupName([...refused, ...results.flatMap(({ without }) => without ?? [])]),
    warnings: results.flatMap(({ warnings }) => warnings),
  };
}

const hasOpenNode = ({ autoScalingGroupName }: AutoScalingGroup, { nodes }: ClusterSnapshot): boolean =>
  nodes.some(({ node }) => node.autoScalingGroupName === autoScalingGroupName && node.closed === undefined);

function growthOf(group: AutoScalingGroup, declared: DeclaredNode | undefined, snapshot: ClusterSnapshot) {
  const { autoScalingGroupName, availabilityZones = [] } = group;
  const facts = {
    autoScalingGroupName,
    mostNewNodes: mostNewNodesOf(group),
    zones: availabilityZones,
    isMixed: isMixed(group),
  };
  if (declared === undefined || declared.status === 'known') {
    const known = planGroupOf({ ...facts, ...(declared && { declared: declared.shape }) }, snapshot);
    if (known !== undefined)
      return {
        group: known,
        warnings: (declared?.warnings ?? []).map((warning) => `group ${autoScalingGroupName}: ${warning}`),
      };
  }
  const reason = declared?.status === 'unknown' ? declared.reason : 'nothing is known of its next node';
  return { without: { autoScalingGroupName, reason }, warnings: [] };
}

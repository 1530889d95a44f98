import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { daemonSetOf } from '../../draining/daemon-sets.ts';
import { identityOf, isFinished, terminatesAt } from '../../draining/pod-facts.ts';
import type { AutoScalingGroup, GroupInstance } from '../../groups/group.ts';
import { isTerminating } from '../../groups/lifecycle-state.ts';
import { instanceIdOf, nameOfNode } from '../../nodes/node-names.ts';
import { phaseOf } from '../members.ts';
import type { PlanGroup } from '../plan/new-node.ts';
import { plannedNodeOf } from '../plan/node.ts';
import { whyNotPlanned } from '../plan/not-planned.ts';
import { type PodSurroundings, plannedPodOf } from '../plan/pod.ts';
import { type ClusterSnapshot, planGroupOf, snapshotOf } from '../plan/snapshot.ts';
import type { PlannedNode, PlannedPod } from '../plan/types.ts';
import { declaredNodeOf, type GroupLaunch } from './declared-node.ts';
import { isMixed, isWorkerGroup, mostNewNodesOf, whyNoGrowth } from './group-growth.ts';
import type {
  GroupWithoutTemplate,
  PlanInput,
  PlanLaunches,
  PlanSources,
  UnplannablePod,
} from './plan-input.ts';
import {
  byName,
  itemsOf,
  readSurroundingLists,
  type SurroundingLists,
  surroundingsOf,
  warningsOf,
} from './surrounding-lists.ts';

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
  growing,
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
      ...(instance && { isTerminating: isTerminating(instance) }),
      // In Standby it does not count in the size of the group, so it must not count as one of its nodes.
      ...(instance &&
        phaseOf(instance.lifecycleState) !== 'standby' && {
          autoScalingGroupName: instance.autoScalingGroupName,
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
  const workers = groups.filter(
    (group) => isWorkerGroup(group, clusterName) && (growing?.has(group.autoScalingGroupName) ?? true),
  );
  const grown = await readGroups(launches, workers, { snapshot, hasVpcCni: hasVpcCni(lists) });
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

interface Known {
  readonly snapshot: ClusterSnapshot;
  readonly hasVpcCni: boolean;
}

/** The groups with their next nodes. Only those without a Ready node are looked up in EC2. */
async function readGroups(
  launches: PlanLaunches,
  groups: readonly AutoScalingGroup[],
  known: Known,
): Promise<Pick<PlanInput, 'groups' | 'groupsWithoutTemplate' | 'warnings'>> {
  const refused = groups.flatMap((group) => {
    const reason = whyNoGrowth(group);
    return reason === undefined ? [] : [{ autoScalingGroupName: group.autoScalingGroupName, reason }];
  });
  const growing = groups.filter((group) => whyNoGrowth(group) === undefined);
  const withoutNode = growing.filter((group) => !hasOpenNode(group, known.snapshot));
  const launched =
    withoutNode.length === 0 ? new Map<string, GroupLaunch>() : await launches.readLaunches(withoutNode);
  const results = growing.map((group) => growthOf(group, launched.get(group.autoScalingGroupName), known));
  return {
    groups: sorted(results.flatMap(({ group }) => group ?? [])),
    groupsWithoutTemplate: sorted([...refused, ...results.flatMap(({ without }) => without ?? [])]),
    warnings: results.flatMap(({ warnings }) => warnings ?? []),
  };
}

const sorted = <T extends { readonly autoScalingGroupName: string }>(groups: readonly T[]): readonly T[] =>
  groups.toSorted((one, other) => (one.autoScalingGroupName < other.autoScalingGroupName ? -1 : 1));

const hasOpenNode = ({ autoScalingGroupName }: AutoScalingGroup, { nodes }: ClusterSnapshot): boolean =>
  nodes.some(({ node }) => node.autoScalingGroupName === autoScalingGroupName && node.closed === undefined);

interface Growth {
  readonly group?: PlanGroup;
  readonly without?: GroupWithoutTemplate;
  readonly warnings?: readonly string[];
}

function growthOf(
  group: AutoScalingGroup,
  launch: GroupLaunch | undefined,
  { snapshot, hasVpcCni }: Known,
): Growth {
  const { autoScalingGroupName, availabilityZones = [] } = group;
  const declared = launch && declaredNodeOf(group, launch, hasVpcCni);
  if (declared?.status === 'unknown') return { without: { autoScalingGroupName, reason: declared.reason } };
  const facts = {
    autoScalingGroupName,
    mostNewNodes: mostNewNodesOf(group),
    zones: availabilityZones,
    isMixed: isMixed(group),
    ...(declared && { declared: declared.shape }),
  };
  const known = planGroupOf(facts, snapshot);
  if (known === undefined)
    return { without: { autoScalingGroupName, reason: 'nothing is known of its next node' } };
  const warnings = declared?.warnings ?? [];
  return { group: known, warnings: warnings.map((warning) => `group ${autoScalingGroupName}: ${warning}`) };
}

/** The DaemonSet of the VPC CNI, under the name that EKS and its Helm chart give it. If DaemonSets cannot be read, it is assumed: it limits more. */
const hasVpcCni = ({ daemonSets }: SurroundingLists): boolean =>
  daemonSets.status === 'absent' || daemonSets.items.some(({ metadata }) => metadata?.name === 'aws-node');

import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { PersistentVolume } from 'kubernetes-types/core/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import { daemonPodOf, withMissingDaemonPods } from './daemon-pods.ts';
import { type NodeShape, newNodeTemplate, type PlanGroup, shapeOfNodes } from './new-node.ts';
import type { PodSurroundings } from './pod.ts';
import type { AttachedVolume, OccupiedNode, PlannedNode, PlannedPod } from './types.ts';
import { attachedOf } from './volume-needs.ts';

/** What is read of a cluster for a plan. */
export interface ClusterObjects {
  readonly nodes: readonly PlannedNode[];
  /** The pods that have a node and have not finished. */
  readonly pods: readonly PlannedPod[];
  readonly daemonSets: readonly DaemonSet[];
  readonly volumeAttachments: readonly VolumeAttachment[];
  readonly surroundings: PodSurroundings;
}

/** The cluster as a plan sees it. */
export interface ClusterSnapshot {
  readonly nodes: readonly OccupiedNode[];
  /** One pod of each DaemonSet. */
  readonly daemonPods: readonly PlannedPod[];
}

/**
 * Joins the nodes of a cluster with what is on them.
 *
 * @throws QuantityError if a DaemonSet asks for something else than quantities.
 */
export function snapshotOf({
  nodes,
  pods,
  daemonSets,
  volumeAttachments,
  surroundings,
}: ClusterObjects): ClusterSnapshot {
  const podsByNode = Map.groupBy(pods, ({ nodeName }) => nodeName ?? '');
  const daemonPods = daemonSets.map((daemonSet) => daemonPodOf(daemonSet, pods, surroundings));
  const attached = attachedByNode(volumeAttachments, surroundings.volumes.volumes);
  const withPods = nodes.map((node): OccupiedNode => {
    const occupied = { node, pods: podsByNode.get(node.name) ?? [], attached: attached.get(node.name) ?? [] };
    return node.closed === undefined ? withMissingDaemonPods(occupied, daemonPods) : occupied;
  });
  return { nodes: withPods, daemonPods };
}

/** Volumes stay attached for a while after their pods, and take a place in the attach limit until they are detached. */
function attachedByNode(
  attachments: readonly VolumeAttachment[],
  volumes: ReadonlyMap<string, PersistentVolume>,
): ReadonlyMap<string, readonly AttachedVolume[]> {
  const byNode = new Map<string, AttachedVolume[]>();
  for (const { spec } of attachments) {
    const volume = volumes.get(spec.source.persistentVolumeName ?? '');
    const known = byNode.get(spec.nodeName) ?? [];
    byNode.set(spec.nodeName, [...known, ...attachedOf(volume?.spec)]);
  }
  return byNode;
}

/** A group whose capacity may grow for the plan. */
export interface GroupFacts {
  readonly autoScalingGroupName: string;
  readonly mostNewNodes: number;
  readonly zones: readonly string[];
  readonly isMixed: boolean;
  /** What its launch template, its tags and its instance types promise, for a group without a Ready node. */
  readonly declared?: NodeShape;
}

/** The group with its next node; undefined if nothing is known about its nodes. */
export function planGroupOf(
  facts: GroupFacts,
  { nodes, daemonPods }: ClusterSnapshot,
): PlanGroup | undefined {
  const { autoScalingGroupName, mostNewNodes, zones, isMixed, declared } = facts;
  const own = nodes.filter(({ node }) => node.autoScalingGroupName === autoScalingGroupName);
  const shape =
    shapeOfNodes(
      own.map(({ node }) => node),
      isMixed,
    ) ?? declared;
  if (shape === undefined) return undefined;
  const template = newNodeTemplate({ autoScalingGroupName, shape, zones, daemonPods, nodes: own });
  return { autoScalingGroupName, mostNewNodes, template };
}

import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { PersistentVolume, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import { isFinished } from '../../draining/pod-facts.ts';
import { daemonPodOf, withMissingDaemonPods } from './daemon-pods.ts';
import type { PlanGroup } from './groups.ts';
import { type NodeShape, newNodeTemplate, shapeOfNodes } from './new-node.ts';
import { type NodeFacts, plannedNodeOf } from './node-model.ts';
import { type PodSurroundings, plannedPodOf } from './pod.ts';
import type { AttachedVolume, OccupiedNode, PlannedPod } from './types.ts';
import { attachedOf } from './volume-needs.ts';

/** What is read of a cluster for a plan. */
export interface ClusterObjects {
  readonly nodes: readonly NodeFacts[];
  /** All pods. Finished pods and pods without a node occupy nothing. */
  readonly pods: readonly Pod[];
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
 * Compiles the objects of a cluster.
 *
 * @throws QuantityError if a pod or a node has something else than quantities.
 */
export function snapshotOf(objects: ClusterObjects): ClusterSnapshot {
  const { surroundings } = objects;
  const podsByNode = new Map<string, PlannedPod[]>();
  for (const pod of objects.pods) {
    const nodeName = pod.spec?.nodeName;
    if (!nodeName || isFinished(pod)) continue;
    const pods = podsByNode.get(nodeName) ?? [];
    pods.push(plannedPodOf(pod, surroundings));
    podsByNode.set(nodeName, pods);
  }
  const running = [...podsByNode.values()].flat();
  const daemonPods = objects.daemonSets.map((daemonSet) => daemonPodOf(daemonSet, running, surroundings));
  const attached = attachedByNode(objects.volumeAttachments, surroundings.volumes.volumes);
  const nodes = objects.nodes.map((facts): OccupiedNode => {
    const node = plannedNodeOf(facts);
    const occupied = { node, pods: podsByNode.get(node.name) ?? [], attached: attached.get(node.name) ?? [] };
    return node.closed === undefined ? withMissingDaemonPods(occupied, daemonPods) : occupied;
  });
  return { nodes, daemonPods };
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

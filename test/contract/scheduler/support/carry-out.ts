import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { runsOn } from '../../../../shared/capacity/plan/daemon-pods.ts';
import type { PlanRequest } from '../../../../shared/capacity/plan/least-nodes.ts';
import { newNodeTemplate, type PlanGroup, shapeOfNodes } from '../../../../shared/capacity/plan/new-node.ts';
import { plannedNodeOf } from '../../../../shared/capacity/plan/node.ts';
import type { NewNodes } from '../../../../shared/capacity/plan/place.ts';
import { plannedPodOf } from '../../../../shared/capacity/plan/pod.ts';
import { snapshotOf } from '../../../../shared/capacity/plan/snapshot.ts';
import { daemonSetTolerations } from '../../../../shared/capacity/plan/taints.ts';
import type { OccupiedNode, PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import type { DrawnNode } from './drawn-nodes.ts';
import { type DrawnGroup, type DrawnPlan, launched } from './drawn-plans.ts';
import { objectsOf, type Question, surroundingsOf, type Verdict } from './question.ts';

/** What the plan is made from, with the daemon pods that are on each node. */
export interface PreparedPlan {
  readonly request: PlanRequest;
  readonly daemonPods: readonly PlannedPod[];
}

export function prepare({ cluster, groups, daemonSets, pods }: DrawnPlan): PreparedPlan {
  const surroundings = surroundingsOf(cluster);
  const { nodes, daemonPods } = snapshotOf({ ...objectsOf(cluster), daemonSets });
  const planned = groups
    .map((group) => planGroupOf(group, daemonPods))
    .filter((group) => group !== undefined);
  const request = { nodes, groups: planned, pods: pods.map((pod) => plannedPodOf(pod, surroundings)) };
  return { request, daemonPods };
}

/** Undefined for a group whose template is closed: nothing is known about its nodes. */
function planGroupOf(
  { name, zones, mostNewNodes, template }: DrawnGroup,
  daemonPods: readonly PlannedPod[],
): PlanGroup | undefined {
  const shape = shapeOfNodes([plannedNodeOf(template)], false);
  if (shape === undefined) return undefined;
  return {
    autoScalingGroupName: name,
    mostNewNodes,
    template: newNodeTemplate({ autoScalingGroupName: name, shape, zones, daemonPods, nodes: [] }),
  };
}

/** The new nodes of a plan. A second plan of the same cluster finds the names of the first taken. */
const freshNodes = ({ cluster, groups, choices }: DrawnPlan, newNodes: NewNodes): readonly DrawnNode[] =>
  groups.flatMap((group) =>
    Array.from({ length: newNodes.get(group.name) ?? 0 }, (_, index) => {
      const choice = choices[index % choices.length] ?? 0;
      const name = `${group.name}-${cluster.nodes.length + index + 1}`;
      return launched(group, name, group.zones[choice % group.zones.length] ?? '');
    }),
  );

/** The cluster with the new nodes and the pods of DaemonSets, and the scheduler is asked about the pods one by one. */
export function carriedOut(
  drawn: DrawnPlan,
  { request, daemonPods }: PreparedPlan,
  { newNodes, pods }: { readonly newNodes: NewNodes; readonly pods: readonly Pod[] },
): Question {
  const { cluster, daemonSets } = drawn;
  const fresh = freshNodes(drawn, newNodes);
  const onOld = request.nodes.filter(hasDaemonPod).map(({ node }) => node.name);
  const onNew = fresh
    .filter((one) => daemonPods.some((pod) => runsOn(pod, plannedNodeOf(one))))
    .map(({ node }) => node.metadata?.name ?? '');
  return {
    ...cluster,
    nodes: [...cluster.nodes, ...fresh.map(({ node }): Node => node)],
    csiNodes: [...cluster.csiNodes, ...fresh.map(({ csiNode }) => csiNode)],
    pods: [
      ...cluster.pods,
      ...daemonSets.flatMap((one) => [...onOld, ...onNew].map((name) => daemonPodOn(one, name))),
    ],
    asked: pods,
    binds: true,
  };
}

/** The cluster after a plan was carried out: with its new nodes and the pods that were scheduled. The others need room still. */
export function afterwards(
  drawn: DrawnPlan,
  { newNodes, verdicts }: { readonly newNodes: NewNodes; readonly verdicts: readonly Verdict[] },
): DrawnPlan {
  const { cluster, groups, pods } = drawn;
  const fresh = freshNodes(drawn, newNodes);
  const bound = pods.flatMap((pod, index) => {
    const nodeName = verdicts[index]?.node;
    return nodeName === undefined ? [] : [{ ...pod, spec: { containers: [], ...pod.spec, nodeName } }];
  });
  return {
    ...drawn,
    cluster: {
      ...cluster,
      nodes: [...cluster.nodes, ...fresh.map(({ node }) => node)],
      csiNodes: [...cluster.csiNodes, ...fresh.map(({ csiNode }) => csiNode)],
      pods: [...cluster.pods, ...bound],
    },
    groups: groups.map((group) => ({
      ...group,
      mostNewNodes: group.mostNewNodes - (newNodes.get(group.name) ?? 0),
    })),
    pods: pods.filter((_pod, index) => verdicts[index]?.node === undefined),
  };
}

const hasDaemonPod = ({ pods }: OccupiedNode): boolean =>
  pods.some(({ comesWithNode }) => typeof comesWithNode === 'object');

const daemonPodOn = ({ metadata, spec }: DaemonSet, nodeName: string): Pod => ({
  metadata: {
    namespace: metadata?.namespace ?? '',
    name: `${metadata?.name}-${nodeName}`,
    labels: { ...spec?.template.metadata?.labels },
  },
  spec: {
    containers: [],
    ...spec?.template.spec,
    tolerations: [...(spec?.template.spec?.tolerations ?? []), ...daemonSetTolerations],
    nodeName,
  },
});

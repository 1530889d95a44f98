import { createClusterState, type NodeState } from '../../../../shared/capacity/plan/cluster-state.ts';
import { prepareCheck } from '../../../../shared/capacity/plan/filters.ts';
import { sizeFor } from '../../../../shared/capacity/plan/group-size.ts';
import { newNodeOf, type PlanGroup } from '../../../../shared/capacity/plan/new-node.ts';
import { createPlacer } from '../../../../shared/capacity/plan/place.ts';
import { reasons } from '../../../../shared/capacity/plan/reasons.ts';
import type { OccupiedNode, PlannedPod } from '../../../../shared/capacity/plan/types.ts';

/** What happens to a group while it grows for pods. */
export interface GrowthSettings {
  readonly nodes: readonly OccupiedNode[];
  readonly group: PlanGroup;
  readonly maxSize: number;
  readonly pods: readonly PlannedPod[];
  /** `most-room` binds as the plan does, `any` to any node that passes all filters. */
  readonly manner: 'most-room' | 'any';
  /** Numbers from 0 to 1. They are repeated. */
  readonly draws: readonly number[];
}

/** One minute: the size that was computed, and what there was. */
interface Minute {
  readonly size: number;
  readonly isMet: boolean;
  readonly isAtMaxSize: boolean;
  readonly instances: number;
  /** Open pods for which no size is enough. */
  readonly withoutPlace: number;
  /** Pods that are not bound. */
  readonly open: number;
}

interface Launch {
  readonly readyAt: number;
  readonly node: OccupiedNode;
}

const longestLaunchMinutes = 30;
/** A node is known to the cluster for so long before it is Ready. */
const longestJoinMinutes = 5;
const minutes = 100;

/**
 * Minutes in which pods are created and bound while the group has the size that was computed in each of them. Launches take 1 to 30 minutes. If the
 * group is too large, the newest launch is cancelled, or the emptiest node goes and its pods are bound again.
 */
export function growthOf(settings: GrowthSettings): readonly Minute[] {
  const { group, maxSize, manner } = settings;
  const draw = drawsOf(settings.draws);
  const isOwn = ({ node }: OccupiedNode): boolean => node.autoScalingGroupName === group.autoScalingGroupName;
  let nodes = settings.nodes;
  let launching: readonly Launch[] = [];
  let planned = settings.pods;
  let pending: readonly PlannedPod[] = [];
  let launched = 0;
  const history: Minute[] = [];

  for (let minute = 0; minute < minutes; minute += 1) {
    nodes = [...nodes, ...launching.filter(({ readyAt }) => readyAt <= minute).map(({ node }) => node)];
    launching = launching.filter(({ readyAt }) => readyAt > minute);
    if (minute > 0) {
      const arriving = minute > minutes / 2 ? planned.length : Math.floor(draw() * 4);
      pending = [...pending, ...planned.slice(0, arriving)];
      planned = planned.slice(arriving);
    }
    ({ nodes, pending } = bind(nodes, pending, manner, draw));
    const open = [...pending, ...planned];
    const joining = launching
      .filter(({ readyAt }) => readyAt - minute <= longestJoinMinutes)
      .map(({ node }) => notReady(node));
    const { size, isMet, withoutPlace, isAtMaxSize } = sizeFor({
      nodes: [...nodes, ...joining],
      autoScalingGroupName: group.autoScalingGroupName,
      template: group.template,
      maxSize,
      joining: new Set(joining.map(({ node }) => node.name)),
      withoutRoom: 0,
      open: new Map([['open', open]]),
    });
    const instances = (): number => nodes.filter(isOwn).length + launching.length;
    while (instances() < size) {
      launched += 1;
      const readyAt = minute + 1 + Math.floor(draw() * (longestLaunchMinutes - 1));
      launching = [...launching, { readyAt, node: launchedNode(group, launched) }];
    }
    while (instances() > size) {
      if (launching.length > 0) launching = launching.slice(0, -1);
      else {
        const emptiest = nodes
          .filter(isOwn)
          .reduce((one, other) => (other.pods.length < one.pods.length ? other : one));
        nodes = nodes.filter((node) => node !== emptiest);
        pending = [...emptiest.pods, ...pending];
      }
    }
    history.push({
      size,
      isMet,
      isAtMaxSize,
      instances: instances(),
      withoutPlace: withoutPlace.get('open') ?? 0,
      open: open.length,
    });
  }
  return history;
}

/** It has the name of an instance, not that of a node of a plan. */
function launchedNode(group: PlanGroup, number: number): OccupiedNode {
  const name = `i-${number}`;
  const { node, pods } = newNodeOf(group, number);
  return {
    node: { ...node, name, labelSets: [{ ...node.labelSets[0], 'kubernetes.io/hostname': name }] },
    pods,
  };
}

const notReady = ({ node, pods }: OccupiedNode): OccupiedNode => ({
  node: { ...node, closed: reasons.taint },
  pods,
});

function drawsOf(draws: readonly number[]): () => number {
  let position = 0;
  return () => {
    position += 1;
    return draws[position % draws.length] ?? 0;
  };
}

/** Binds the pods that have a place, one by one. */
function bind(
  nodes: readonly OccupiedNode[],
  pods: readonly PlannedPod[],
  manner: GrowthSettings['manner'],
  draw: () => number,
): { readonly nodes: readonly OccupiedNode[]; readonly pending: readonly PlannedPod[] } {
  const choices = manner === 'most-room' ? chooseMostRoom(nodes, pods) : chooseAny(nodes, pods, draw);
  const taken = new Map<string, PlannedPod[]>();
  for (const [pod, name] of choices) taken.set(name, [...(taken.get(name) ?? []), pod]);
  return {
    nodes: nodes.map((occupied) => ({
      ...occupied,
      pods: [...occupied.pods, ...(taken.get(occupied.node.name) ?? [])],
    })),
    pending: pods.filter((pod) => !choices.has(pod)),
  };
}

const chooseMostRoom = (
  nodes: readonly OccupiedNode[],
  pods: readonly PlannedPod[],
): ReadonlyMap<PlannedPod, string> => {
  const { placements } = createPlacer(
    nodes,
    [],
  )({ pods, newNodes: new Map(), grows: false, explains: false });
  return new Map(
    placements.flatMap(({ pod, nodeName }) => (nodeName === undefined ? [] : [[pod, nodeName] as const])),
  );
};

function chooseAny(
  nodes: readonly OccupiedNode[],
  pods: readonly PlannedPod[],
  draw: () => number,
): ReadonlyMap<PlannedPod, string> {
  const cluster = createClusterState(nodes);
  const chosen = new Map<PlannedPod, string>();
  for (const pod of pods) {
    const check = prepareCheck(pod, cluster);
    const possible = cluster.nodes.filter((state) => check(state).length === 0);
    const state: NodeState | undefined = possible[Math.floor(draw() * possible.length)];
    if (state === undefined) continue;
    cluster.addPod(pod, state.index);
    chosen.set(pod, state.node.name);
  }
  return chosen;
}

import { emptiestFirst, emptyAsMany, movablePods, type NodeToEmpty } from './emptying.ts';
import { findLeastNodes, type LeastNodes, unplacedOf } from './least-nodes.ts';
import type { PlanGroup } from './new-node.ts';
import type { NewNodes } from './place.ts';
import { reasons } from './reasons.ts';
import type { Refusals } from './refusals.ts';
import { isPassing } from './taints.ts';
import type { IsTimeUp } from './time-limit.ts';
import type { OccupiedNode, PlannedPod } from './types.ts';

/** Pods in lists by any name, such as one list for each hold. */
type PodLists = ReadonlyMap<string, readonly PlannedPod[]>;

/** What is known when the size of a group is computed. */
export interface GroupSizeRequest {
  /** All nodes of the cluster with their pods. */
  readonly nodes: readonly OccupiedNode[];
  readonly autoScalingGroupName: string;
  /** The node that the group launches next; undefined if nothing is known about it. */
  readonly template: OccupiedNode | undefined;
  readonly maxSize: number;
  /** Nodes of the group, by name, that are not Ready yet and will be within the time that a node has to join. */
  readonly joining: ReadonlySet<string>;
  /** How many instances count in the size of the group but give no room: they are cordoned, or not Ready for longer than a node has to join. */
  readonly withoutRoom: number;
  /** The pods that have not arrived. */
  readonly open: PodLists;
  /** Once it is true, a PlanTimeError is thrown. */
  readonly isTimeUp?: IsTimeUp | undefined;
}

/** Whether a group has the room that is asked for, and the size at which it has. */
export interface GroupSize {
  /** All open pods have a place on Ready nodes of the group now, in every order. */
  readonly isMet: boolean;
  /** How many pods of each list have a place on Ready nodes now, in the worst order for the list. */
  readonly placedNow: ReadonlyMap<string, number>;
  /** The least size at which what runs in the group and what is open has its place. It is never more than MaxSize. */
  readonly size: number;
  /** Whether MaxSize is in the way of a larger size. */
  readonly isAtMaxSize: boolean;
  /** How many pods of each list have no place even at this size, in the worst order for the list. */
  readonly withoutPlace: ReadonlyMap<string, number>;
  /** Why they have none, by their shape. */
  readonly refusals: ReadonlyMap<string, Refusals>;
}

/** Why a node of another group takes no pod of this plan. The scheduler has no such reason. */
export const outsideGroup = 'node(s) outside the group';

/**
 * The least size of a group for the pods that run in it and those that are open. It is counted from the Ready nodes and those with pods; every other
 * node is one as the group launches it. Whether that node has been asked for, is launching or is joining makes no difference, so the size stays the same while nodes come.
 * If the Ready nodes are enough, the size leaves out the emptiest nodes, as long as their pods have a place on the others.
 */
export function sizeFor(request: GroupSizeRequest): GroupSize {
  const { autoScalingGroupName: name, maxSize, joining, withoutRoom, isTimeUp } = request;
  // A caller may repeat one pod. Each has its own place.
  const open: PodLists = mapValues(request.open, (list) => list.map((pod) => ({ ...pod })));
  const pods = [...open.values()].flat();
  const nodes = request.nodes.map((node) => closeOutside(node, name));
  const joined = nodes.flatMap((one) => (joining.has(one.node.name) ? joinedWithPods(one, request) : [one]));
  const ready = joined.filter(({ node }) => isOfGroup(node, name) && node.closed === undefined);

  const now = findLeastNodes({ nodes, groups: [], pods, isTimeUp });
  const groups = groupsOf(request, maxSize - ready.length - withoutRoom);
  const least = findLeastNodes({ nodes: joined, groups, pods, isTimeUp });
  const withoutPlace = unplacedIn(least, open, least.newNodes);
  const refusals = refusalsOf(least);
  const isBounded = [...refusals.values()].some((why) => why.groups.get(name)?.kind === 'at-bounds');
  const more = least.newNodes.get(name) ?? 0;
  const mayBeFewer = more === 0 && !isBounded && (groups.length > 0 || refusals.size === 0);
  const fewer = mayBeFewer ? emptied({ nodes: joined, ready, pods: placedOf(least, pods), isTimeUp }) : 0;
  const wanted = ready.length + more - fewer + withoutRoom;
  const missingNow = unplacedIn(now, open, none);
  return {
    isMet: [...missingNow.values()].every((count) => count === 0),
    placedNow: mapValues(open, (list, key) => list.length - (missingNow.get(key) ?? 0)),
    size: Math.min(Math.max(0, maxSize), wanted),
    isAtMaxSize: isBounded || wanted > maxSize,
    withoutPlace,
    refusals,
  };
}

const none: NewNodes = new Map();

/**
 * A node that is not Ready for a moment, or has a taint for a while, and runs pods already: it is there as it will be, because its pods have their room
 * on it. Without pods, it is one of the nodes that the group launches; one that leaves is none.
 */
function joinedWithPods(occupied: OccupiedNode, { template }: GroupSizeRequest): readonly OccupiedNode[] {
  const { closed, ...node } = occupied.node;
  const isLeaving = closed !== undefined && closed !== reasons.taint;
  if (isLeaving || movablePods(occupied).length === 0) return [];
  const registered = [...node.allocatable].filter(([, amount]) => amount > 0);
  const allocatable = new Map([...(template?.node.allocatable ?? []), ...registered]);
  const taints = node.taints.filter((taint) => !isPassing(taint));
  return [{ ...occupied, node: { ...node, allocatable, taints } }];
}

const isOfGroup = ({ autoScalingGroupName }: OccupiedNode['node'], name: string): boolean =>
  autoScalingGroupName === name;

/** Nodes outside the group count for spread and affinity, and take no pods. */
const closeOutside = (occupied: OccupiedNode, name: string): OccupiedNode =>
  isOfGroup(occupied.node, name)
    ? occupied
    : { ...occupied, node: { ...occupied.node, closed: occupied.node.closed ?? outsideGroup } };

const groupsOf = (
  { autoScalingGroupName, template }: GroupSizeRequest,
  mostNewNodes: number,
): readonly PlanGroup[] =>
  template === undefined ? [] : [{ autoScalingGroupName, template, mostNewNodes: Math.max(0, mostNewNodes) }];

/** How many pods of each list have no place, in the worst order for the list. */
function unplacedIn(
  { orders, placedIn }: LeastNodes,
  open: PodLists,
  newNodes: NewNodes,
): ReadonlyMap<string, number> {
  const unplaced = orders.map((order) => new Set(unplacedOf(placedIn(order, newNodes))));
  return mapValues(open, (list) =>
    Math.max(...unplaced.map((without) => list.filter((pod) => without.has(pod)).length)),
  );
}

/**
 * The pods that have a place in every order, in the order in which they are given: emptying tries the same orders, so that it takes no node that one of
 * them has just asked for.
 */
function placedOf(
  { orders, placedIn, newNodes }: LeastNodes,
  pods: readonly PlannedPod[],
): readonly PlannedPod[] {
  const unplaced = new Set(orders.flatMap((order) => unplacedOf(placedIn(order, newNodes))));
  return pods.filter((pod) => !unplaced.has(pod));
}

/** The reasons of the first order that has pods without a place. */
function refusalsOf({ orders, placedIn, explain, newNodes }: LeastNodes): ReadonlyMap<string, Refusals> {
  const lacking = orders.find((order) => unplacedOf(placedIn(order, newNodes)).length > 0);
  return lacking === undefined ? new Map() : explain(lacking, newNodes).refusals;
}

/** How many of the Ready nodes may go. The pods of those nodes are placed again, with the open ones. */
function emptied({
  nodes,
  ready,
  pods,
  isTimeUp,
}: {
  readonly nodes: readonly OccupiedNode[];
  readonly ready: readonly OccupiedNode[];
  readonly pods: readonly PlannedPod[];
  readonly isTimeUp: IsTimeUp | undefined;
}): number {
  const isEnoughWithout = (gone: readonly NodeToEmpty[]): boolean => {
    const names = new Set(gone.map(({ name }) => name));
    const kept = nodes.filter(({ node }) => !names.has(node.name));
    const moved = gone.flatMap((node) => node.podsToMove());
    const { orders, placedIn } = findLeastNodes({
      nodes: kept,
      groups: [],
      pods: [...moved, ...pods],
      isTimeUp,
    });
    return orders.every((order) => unplacedOf(placedIn(order, none)).length === 0);
  };
  return emptyAsMany(emptiestFirst(ready), isEnoughWithout);
}

const mapValues = <V, R>(
  map: ReadonlyMap<string, V>,
  of: (value: V, key: string) => R,
): ReadonlyMap<string, R> => new Map([...map].map(([key, value]) => [key, of(value, key)]));

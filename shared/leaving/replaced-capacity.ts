import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type AutoScalingGroup, type GroupInstance, isSuspended } from '../groups/group.ts';
import { isInService, isTerminatingWait } from '../groups/lifecycle-state.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { rollingAnnotation } from '../nodes/node-keys.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { readRollingMark } from '../nodes/rolling-mark.ts';
import { byInstanceId, type LeavingInstance } from './concurrency-limit.ts';
import type { Leaving, NodeFound, Planned } from './context.ts';
import type { AwaitingInstance, MarkedInstances } from './started-leaves.ts';

/** What a group has, in units of its desired capacity, while some of its instances wait for their replacements. */
export interface ReplacedCapacity {
  readonly desired: number;
  /** In service, and not about to leave. */
  readonly serving: number;
  /** About to leave, and still with their pods: in the order in which they may be drained. */
  readonly undrained: readonly { readonly instanceId: string; readonly units: number }[];
}

/**
 * How many units must still be replaced before this instance may be drained. If m are missing, the last m of the undrained wait and the
 * others are drained, so the pods never have less than the desired capacity. If the desired capacity is lowered, nothing is missing. Pure.
 */
export function unitsMissingFor(
  instanceId: string,
  { desired, serving, undrained }: ReplacedCapacity,
): number {
  const position = undrained.findIndex((one) => one.instanceId === instanceId);
  const behind = undrained.slice(position + 1).reduce((sum, { units }) => sum + units, 0);
  return Math.max(0, desired - serving - behind);
}

interface CapacityFacts extends MarkedInstances {
  /** The one that asks. */
  readonly instance: GroupInstance;
  /** All Nodes; undefined if Auto Scaling's description has to do. It is then an upper bound of what the group has. */
  readonly nodes?: readonly Node[];
}

/**
 * The capacity of a group. An instance serves if it is in service and healthy, and its Node is Ready and is not marked as leaving, or by a
 * roll that is about to terminate it. Leaving instances are drained in the order in which they were marked, and one that no pass has marked
 * yet comes after them. A node that a roll is about to terminate still has its pods, so it is the last of them. Pure.
 */
export function capacityOf(
  group: AutoScalingGroup,
  { instance, awaiting, started, nodes }: CapacityFacts,
): ReplacedCapacity {
  const nodeOf = nodes && nodesByInstance(nodes);
  const begun = new Set(started.map(({ instanceId }) => instanceId));
  const since = new Map(awaiting.map((one) => [one.instanceId, one.since]));
  const listed = group.instances.some(({ instanceId }) => instanceId === instance.instanceId);
  const members = listed ? group.instances : [...group.instances, instance];
  let serving = 0;
  const undrained: (LeavingInstance & { readonly units: number; readonly since: number })[] = [];
  for (const member of members) {
    const { instanceId, weight: units = 1 } = member;
    const isOwn = instanceId === instance.instanceId;
    const node = nodeOf?.get(instanceId);
    const isWithout = nodeOf !== undefined && !(node && isNodeReady(node));
    if (!isOwn && (begun.has(instanceId) || isWithout || hasBegun(node))) continue;
    const waits = isOwn || isTerminatingWait(member);
    const leaves = waits || since.has(instanceId) || (node !== undefined && isMarked(node));
    if (leaves)
      undrained.push({
        instanceId,
        autoScalingGroupName: group.autoScalingGroupName,
        units,
        since: since.get(instanceId) ?? (waits ? unmarkedSince : Infinity),
      });
    else if (isInService(member) && member.healthy) serving += units;
  }
  return { desired: group.desiredCapacity, serving, undrained: undrained.toSorted(byTurn) };
}

/** Later than any mark, and earlier than a node that is still in service. */
const unmarkedSince = Number.MAX_SAFE_INTEGER;

const byTurn = (
  one: LeavingInstance & { readonly since: number },
  other: LeavingInstance & { readonly since: number },
): number => (one.since === other.since ? byInstanceId(one, other) : one.since < other.since ? -1 : 1);

const isMarked = ({ metadata }: Node): boolean =>
  readLeavingMark(metadata?.annotations) !== undefined ||
  metadata?.annotations?.[rollingAnnotation] !== undefined;

/** The list of Nodes may be newer than that of the marks. */
function hasBegun(node: Node | undefined): boolean {
  const mark = readLeavingMark(node?.metadata?.annotations);
  return mark !== undefined && mark.awaiting === undefined;
}

/**
 * The Node of each instance; the Ready one if several name it. EC2 is not asked whose a Node is: a kubelet that claims to be the replacement
 * of another only makes a drain begin earlier, which budgets still bound.
 */
function nodesByInstance(nodes: readonly Node[]): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  for (const node of nodes) {
    const instanceId = instanceIdOf(node.spec?.providerID);
    if (instanceId !== undefined && (!found.has(instanceId) || isNodeReady(node)))
      found.set(instanceId, node);
  }
  return found;
}

/** Instances that take no turn yet, because their replacement is missing. */
export const heldForReplacement = (
  awaiting: readonly AwaitingInstance[],
  { instanceId: own }: LeavingInstance,
): ReadonlySet<string> =>
  new Set(
    awaiting.flatMap(({ awaiting: what, instanceId }) =>
      what === 'replacement' && instanceId !== own ? [instanceId] : [],
    ),
  );

/**
 * The instances of the group that get a replacement, and so a turn, before this one. Their passes may not have seen it yet, so each of them
 * counts as if its drain had begun: otherwise two whose replacements begin to serve in the same second would take one slot.
 */
export function aheadOf(
  awaiting: readonly AwaitingInstance[],
  { instanceId, autoScalingGroupName }: LeavingInstance,
): readonly LeavingInstance[] {
  const own = awaiting.find((one) => one.instanceId === instanceId && one.awaiting === 'replacement');
  if (!own) return [];
  return awaiting.filter(
    (one) =>
      one.awaiting === 'replacement' &&
      one.autoScalingGroupName === autoScalingGroupName &&
      byTurn(one, own) < 0,
  );
}

type Replaced = Leaving & Planned & NodeFound;

/** Who asks that the drain waits for the replacement: the tag of the group, or a roll. Pure. */
export function replacementAwaitedBy({ settings, node, mark }: Replaced): 'tag' | 'roll' | undefined {
  const rolling = readRollingMark(node.metadata?.annotations);
  if (typeof rolling === 'object' ? rolling.waits : mark?.ofRoll) return 'roll';
  return settings.awaitReplacement ? 'tag' : undefined;
}

/**
 * Why a drain that should wait for its replacement does not: nothing will be launched for the instance, nothing serves on its node, or there
 * is no time. Undefined if it waits. Pure.
 */
export function whyNotAwaited({
  plan,
  waits,
  toWarmPool,
  keepsNode,
  group,
  node,
}: Replaced): string | undefined {
  if (plan.mustHurry)
    return plan.cause === 'terminating' || plan.cause === 'swept'
      ? 'the wait on its hook ends soon, and the drain needs the rest of it'
      : 'EC2 takes the instance';
  if (!waits) return 'Auto Scaling launches it only once the instance is handed back';
  if (!plan.hook) return 'no hook of Drover holds the instance';
  if (keepsNode || toWarmPool) return 'the instance returns';
  if (group.isBeingDeleted) return 'its group is being deleted';
  if (isSuspended(group, 'Launch')) return 'the process Launch of its group is suspended';
  return isNodeReady(node) ? undefined : 'its node is not Ready';
}

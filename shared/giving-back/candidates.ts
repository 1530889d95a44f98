import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { isDaemonSetPod, isFinished, isMirrorPod, onlyFinalizersRemain } from '../draining/pod-facts.ts';
import { type AutoScalingGroup, type GroupMember, isManaged, isSuspended } from '../groups/group.ts';
import { readGiveBack } from '../groups/group-settings.ts';
import { isInService, isRetained } from '../groups/lifecycle-state.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { leavingAnnotation, scaleDownDisabledAnnotation } from '../nodes/node-keys.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { describePause, pauseOf } from '../passes/pause.ts';
import { isReserved } from './reservation.ts';

/** By then, pods that an autoscaler launched the node for have been placed. */
const readySeconds = 300;
/** One pass reads the pods of this many nodes; the next pass reads others. */
const nodesPerPass = 10;

/** Why no node of a group is given back now; undefined if one may be. Pure. */
export function obstacleOf(group: AutoScalingGroup | undefined, clusterName: string): string | undefined {
  if (group === undefined || !isManaged(group, clusterName)) return 'there is no such managed group';
  const pause = pauseOf(group.tags);
  if (pause) return describePause(pause);
  const { isOn, problems } = readGiveBack(group.tags);
  if (!isOn) return problems[0] ?? 'its group does not request it any more';
  if (group.countsUnits)
    return 'its group counts units of capacity, and an instance may count as several of them';
  // The operator has frozen the group, and may rely on each instance.
  const frozen = (['Launch', 'Terminate'] as const).find((process) => isSuspended(group, process));
  if (frozen) return `its group suspends ${frozen}`;
  if (group.desiredCapacity <= group.minSize)
    return `the desired capacity (${group.desiredCapacity}) is not above MinSize`;
  const passing = group.instances.find((member) => !isInService(member) && !isSetAside(member));
  if (passing) return `one at a time: ${passing.instanceId} is ${passing.lifecycleState}`;
  const serving = group.instances.filter(isInService);
  const unhealthy = serving.find(({ healthy }) => !healthy);
  if (unhealthy) return `one at a time: ${unhealthy.instanceId} is Unhealthy and has not left yet`;
  // A lower desired capacity would cancel a requested launch, and if launches fail, fewer than MinSize instances would be left.
  return serving.length < group.desiredCapacity
    ? `one at a time: only ${serving.length} of ${group.desiredCapacity} instances are in service`
    : undefined;
}

/** Why a node that an earlier read of its group allowed is not given back now. Pure. */
export function obstacleTo(
  instanceId: string,
  group: AutoScalingGroup | undefined,
  clusterName: string,
): string | undefined {
  const obstacle = obstacleOf(group, clusterName);
  if (obstacle !== undefined) return obstacle;
  return group && mayLeave(group).some((member) => member.instanceId === instanceId)
    ? undefined
    : `its group now keeps ${instanceId}`;
}

function mayLeave(group: AutoScalingGroup): readonly GroupMember[] {
  const kept = keptZones(group);
  return group.instances.filter(
    (member) =>
      isInService(member) &&
      member.healthy &&
      !member.protectedFromScaleIn &&
      !kept.includes(member.availabilityZone),
  );
}

/** An operator or the warm pool keeps the instance. */
const isSetAside = (member: GroupMember): boolean =>
  member.lifecycleState === 'Standby' || isRetained(member) || member.lifecycleState.startsWith('Warmed:');

/** A node that may be given back if it is empty. */
export interface Candidate {
  readonly instanceId: string;
  readonly node: Node;
}

/**
 * The nodes of a group whose pods are read in this pass. A reserved one comes first. The others take turns by the minute, youngest first.
 * Pure.
 */
export function candidatesOf(
  group: AutoScalingGroup,
  { nodes, now }: { readonly nodes: readonly Node[]; readonly now: number },
): readonly Candidate[] {
  const byInstance = Map.groupBy(nodes, ({ spec }) => instanceIdOf(spec?.providerID));
  const possible = mayLeave(group)
    .flatMap(({ instanceId }) => {
      const [node, ...twins] = byInstance.get(instanceId) ?? [];
      return node && twins.length === 0 && mayGo(node, now) ? [{ instanceId, node }] : [];
    })
    .toSorted((one, other) => createdAt(other.node) - createdAt(one.node));
  const reserved = possible.filter(({ node }) => isReserved(node));
  const others = possible.filter(({ node }) => !isReserved(node));
  const start = others.length === 0 ? 0 : (Math.floor(now / 60_000) * nodesPerPass) % others.length;
  const inTurn = others.length <= nodesPerPass ? others : [...others.slice(start), ...others.slice(0, start)];
  return [...reserved, ...inTurn.slice(0, nodesPerPass)];
}

const createdAt = ({ metadata }: Node): number => Date.parse(metadata?.creationTimestamp ?? '') || 0;

const quorumRoles = ['control-plane', 'master', 'etcd'].map((role) => `node-role.kubernetes.io/${role}`);

function mayGo(node: Node, now: number): boolean {
  const { labels = {}, annotations = {} } = node.metadata ?? {};
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  return (
    isNodeReady(node) &&
    now - (Date.parse(ready?.lastTransitionTime ?? '') || now) >= readySeconds * 1000 &&
    (isReserved(node) || node.spec?.unschedulable !== true) &&
    annotations[leavingAnnotation] === undefined &&
    annotations[scaleDownDisabledAnnotation] !== 'true' &&
    quorumRoles.every((role) => labels[role] === undefined)
  );
}

/** Whether no pod runs on a node that a drain would have to move. Pure. */
export const isEmpty = (pods: readonly Pod[]): boolean =>
  pods.every(
    (pod) => isFinished(pod) || isDaemonSetPod(pod) || isMirrorPod(pod) || onlyFinalizersRemain(pod),
  );

/**
 * Why the Nodes of a group do not allow to give one back; undefined if they do. An instance in service may have no Node, or one that is
 * cordoned or not Ready: without this check the last nodes that accept pods could go. Pure.
 */
export function obstacleInNodes(group: AutoScalingGroup, nodes: readonly Node[]): string | undefined {
  const open = new Set(nodes.filter(takesPods).map(({ spec }) => instanceIdOf(spec?.providerID)));
  const serving = group.instances.filter((member) => isInService(member) && open.has(member.instanceId));
  return serving.length <= group.minSize
    ? `MinSize is ${group.minSize}, and only ${serving.length} of ${group.instances.length} nodes are Ready and take pods`
    : undefined;
}

/** A reserved node counts, because it would be released if it stayed. */
const takesPods = (node: Node): boolean =>
  isNodeReady(node) &&
  (isReserved(node) || node.spec?.unschedulable !== true) &&
  node.metadata?.annotations?.[leavingAnnotation] === undefined;

/**
 * The zones of a group that would be unbalanced with one instance less. Auto Scaling rebalances zones that differ by two or more, and would
 * terminate a serving node in another zone, unless AZRebalance is suspended. Pure.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-availability-zone-balanced.html
 */
export function keptZones(group: AutoScalingGroup): readonly string[] {
  if (isSuspended(group, 'AZRebalance')) return [];
  const sizes = sizesOf(group);
  // Zones that are already unbalanced, for example because one lacks capacity, may stay so.
  const bound = Math.max(1, spreadOf(sizes));
  return [...sizes].flatMap(([zone, size]) =>
    size > 0 && spreadOf(new Map(sizes).set(zone, size - 1)) > bound ? [zone] : [],
  );
}

/** The zones that keep their nodes even if these are empty, for the outcome of a pass. */
export function describeKeptZones(group: AutoScalingGroup): string {
  const zones = keptZones(group);
  return zones.length === 0
    ? ''
    : `; ${zones.join(', ')} keep their nodes, because zones would be unbalanced without them and Auto Scaling would rebalance them (AZRebalance)`;
}

/** How many serving instances of a group a scale-in may not take, for the outcome of a pass. */
export function describeProtected({ instances }: Pick<AutoScalingGroup, 'instances'>): string {
  const count = instances.filter((member) => isInService(member) && member.protectedFromScaleIn).length;
  if (count === 0) return '';
  return count === 1
    ? '; 1 instance stays, because it is protected from scale-in'
    : `; ${count} instances stay, because they are protected from scale-in`;
}

function sizesOf({ availabilityZones = [], instances }: AutoScalingGroup): ReadonlyMap<string, number> {
  const serving = Map.groupBy(instances.filter(isInService), ({ availabilityZone }) => availabilityZone);
  return new Map(availabilityZones.map((zone) => [zone, serving.get(zone)?.length ?? 0]));
}

const spreadOf = (sizes: ReadonlyMap<string, number>): number =>
  Math.max(...sizes.values()) - Math.min(...sizes.values());

import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { isDaemonSetPod, isFinished, isMirrorPod, onlyFinalizersRemain } from '../draining/pod-facts.ts';
import { type AutoScalingGroup, type GroupMember, isManaged, isSuspended } from '../groups/group.ts';
import { readGiveBack } from '../groups/group-settings.ts';
import { isInService, isRetained } from '../groups/lifecycle-state.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { leavingAnnotation } from '../nodes/node-keys.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { describePause, pauseOf } from '../passes/pause.ts';
import { isReserved } from './reservation.ts';
import { keptZones } from './zones.ts';

/** Pods that an autoscaler waits for have been placed by then. */
const readySeconds = 300;
/** The pods of so many nodes are read in one pass, other nodes in the next. */
const nodesPerPass = 10;

/** Why no node of a group is given back now; undefined if one may be. Pure. */
export function obstacleOf(group: AutoScalingGroup | undefined, clusterName: string): string | undefined {
  if (group === undefined || !isManaged(group, clusterName)) return 'there is no such managed group';
  const pause = pauseOf(group.tags);
  if (pause) return describePause(pause);
  const { isOn, problems } = readGiveBack(group.tags);
  if (!isOn) return problems[0] ?? 'its group does not ask for it any more';
  if (group.countsUnits) return 'its group counts units of capacity, and an instance may be several of them';
  // A person has frozen the group, and may count on each instance of it.
  const frozen = (['Launch', 'Terminate'] as const).find((process) => isSuspended(group, process));
  if (frozen) return `its group suspends ${frozen}`;
  if (group.desiredCapacity <= group.minSize)
    return `the desired capacity (${group.desiredCapacity}) is not above MinSize`;
  const passing = group.instances.find((member) => !isInService(member) && !isSetAside(member));
  if (passing) return `one at a time: ${passing.instanceId} is ${passing.lifecycleState}`;
  const serving = group.instances.filter(isInService);
  const unhealthy = serving.find(({ healthy }) => !healthy);
  if (unhealthy) return `one at a time: ${unhealthy.instanceId} is Unhealthy, and has yet to leave`;
  // A lower desired capacity would take back a launch that something asks for, and launches that fail would leave fewer than MinSize.
  return serving.length < group.desiredCapacity
    ? `one at a time: only ${serving.length} of ${group.desiredCapacity} instances are in service`
    : undefined;
}

/** Why a node is not given back that was chosen in an earlier look at its group. Pure. */
export function obstacleTo(
  instanceId: string,
  group: AutoScalingGroup | undefined,
  clusterName: string,
): string | undefined {
  const obstacle = obstacleOf(group, clusterName);
  if (obstacle !== undefined) return obstacle;
  return group && mayLeave(group).some((member) => member.instanceId === instanceId)
    ? undefined
    : `its group keeps ${instanceId} by now`;
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

/** A person or the warm pool keeps the instance. */
const isSetAside = (member: GroupMember): boolean =>
  member.lifecycleState === 'Standby' || isRetained(member) || member.lifecycleState.startsWith('Warmed:');

/** A node that may be given back if it is empty. */
export interface Candidate {
  readonly instanceId: string;
  readonly node: Node;
}

/**
 * The nodes of a group whose pods are read in this pass. One that is reserved comes first. The others take turns by the minute, from the
 * youngest on. Pure.
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
    annotations['cluster-autoscaler.kubernetes.io/scale-down-disabled'] !== 'true' &&
    quorumRoles.every((role) => labels[role] === undefined)
  );
}

/** Whether nothing runs on a node that a drain would have to move. Pure. */
export const isEmpty = (pods: readonly Pod[]): boolean =>
  pods.every(
    (pod) => isFinished(pod) || isDaemonSetPod(pod) || isMirrorPod(pod) || onlyFinalizersRemain(pod),
  );

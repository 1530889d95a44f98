import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type AutoScalingGroup, type GroupMember, unitsOf } from '../../groups/group.ts';
import { isInService, isRetained } from '../../groups/lifecycle-state.ts';
import { readLeavingMark } from '../../nodes/leaving-mark.ts';
import { isNodeReady } from '../../nodes/node-condition.ts';
import { instanceIdOf, nameOfNode } from '../../nodes/node-names.ts';
import { describePause, pauseOf } from '../../passes/pause.ts';
import { windowAt } from '../../roll/window.ts';
import { type FailingNode, failureOf, findFailingNodes, livingNodes, zoneOf } from './failing-nodes.ts';
import type { PodsVerdict } from './pods-that-finish.ts';
import { type RepairRule, readRepair, repairWindowTagKey } from './settings.ts';

/** How many instances of a group health checks have replaced in the last hour, or why that is unknown. */
export type Replacements = { readonly count: number } | { readonly unknown: string };

interface RepairInput {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Managed groups only. */
  readonly groups: readonly AutoScalingGroup[];
  /** All Nodes of the cluster, from a consistent list. */
  readonly nodes: readonly Node[];
  /** By group. If a group is missing, its replacements are unknown. */
  readonly replacements: ReadonlyMap<string, Replacements>;
  /** Why it is unknown whose the Nodes of an instance are, by its id. */
  readonly unknownOwners?: ReadonlyMap<string, string>;
  /** What the pods of nodes say that are still Ready, by the id of the instance. */
  readonly pods?: ReadonlyMap<string, PodsVerdict>;
}

/**
 * - `repair`: its instance is replaced now;
 * - `wait`: it has not failed for long enough, the window of its group is closed, or a pod asks to finish;
 * - `bounded`: another node must be replaced first;
 * - `withheld`: so many nodes fail at the same time that none is replaced;
 * - `left-alone`: the operator has excluded it, or it may be a member of a quorum;
 * - `cannot-judge`: something is unknown.
 */
export type RepairVerdict = 'repair' | 'wait' | 'bounded' | 'withheld' | 'left-alone' | 'cannot-judge';

export interface RepairFinding {
  readonly node: string;
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  /** As the tag of the group names it. */
  readonly condition: string;
  /** When the condition began, in epoch milliseconds; undefined if the Node does not report it. */
  readonly since: number | undefined;
  readonly verdict: RepairVerdict;
  readonly reason: string;
}

type Judgement = Pick<RepairFinding, 'verdict' | 'reason'>;

const ownerUnknown = (reason: string | undefined): Judgement | undefined =>
  reason === undefined
    ? undefined
    : { verdict: 'cannot-judge', reason: `EC2 does not show whose Node it is: ${reason}` };

/** A verdict for each failing node of the groups with repair. At most one node of a group is `repair`. */
export function judgeRepairs(input: RepairInput): readonly RepairFinding[] {
  const living = livingNodes(input.nodes);
  const failing = findFailingNodes(input.groups, living);
  const disturbanceOf = disturbances(input.nodes, failing);
  const byInstance = Map.groupBy(input.nodes, ({ spec }) => instanceIdOf(spec?.providerID));
  return input.groups.flatMap((group) => {
    const { rules } = readRepair(group.tags);
    const contradictionOf = ({ name, member }: FailingNode): Judgement | undefined =>
      contradiction(
        (byInstance.get(member.instanceId) ?? []).filter((node) => nameOfNode(node) !== name),
        rules,
      );
    const hourlyBound = hourlyBoundOf(group, input.replacements);
    let first: FailingNode | undefined;
    return failing
      .filter(({ autoScalingGroupName }) => autoScalingGroupName === group.autoScalingGroupName)
      .map((node) => {
        const pods = input.pods?.get(node.member.instanceId);
        const own =
          ownObstacle(node, { group, now: input.now }) ??
          closedWindow(node, { group, now: input.now }) ??
          askedByPods(pods) ??
          ownerUnknown(input.unknownOwners?.get(node.member.instanceId)) ??
          contradictionOf(node) ??
          withheld(disturbanceOf(node)) ??
          boundOf(group, living, node.member.availabilityZone) ??
          hourlyBound;
        if (own) return toFinding(node, own);
        if (first) return toFinding(node, bounded(`${first.name} is replaced first`));
        first = node;
        return toFinding(node, {
          verdict: 'repair',
          reason: `it has failed for as long as its group allows${pods ? `; annotations of pods are not honoured, because ${pods.reason}` : ''}`,
        });
      });
  });
}

const toFinding = (
  { name, member, autoScalingGroupName, condition, since }: FailingNode,
  judgement: Judgement,
): RepairFinding => ({
  node: name,
  instanceId: member.instanceId,
  autoScalingGroupName,
  condition,
  since,
  ...judgement,
});

const bounded = (reason: string): Judgement => ({ verdict: 'bounded', reason });

const withheld = (disturbance: string | undefined): Judgement | undefined =>
  disturbance === undefined
    ? undefined
    : {
        verdict: 'withheld',
        reason: `${disturbance}: the cause is probably not a single node, so none is replaced`,
      };

/** Why this node is not replaced, whatever the state of the others is. */
function ownObstacle(
  { since, dueAt, member, isOfQuorum }: FailingNode,
  { group, now }: { readonly group: AutoScalingGroup; readonly now: number },
): Judgement | undefined {
  const pause = pauseOf(group.tags);
  if (pause) return { verdict: 'left-alone', reason: `its group is ${describePause(pause)}` };
  if (member.protectedFromScaleIn)
    return { verdict: 'left-alone', reason: 'its instance is protected from scale-in' };
  if (isOfQuorum)
    return { verdict: 'left-alone', reason: 'by its labels it is a node of the control plane or of etcd' };
  if (since === undefined)
    return { verdict: 'cannot-judge', reason: 'the Node does not report since when it fails' };
  if (dueAt > now)
    return {
      verdict: 'wait',
      reason: `it is replaced if it still fails at ${new Date(dueAt).toISOString()}`,
    };
  return undefined;
}

/** Annotations bind only the repair of a node that is still Ready. Without the right to list pods, they bind nothing. */
function askedByPods(pods: PodsVerdict | undefined): Judgement | undefined {
  if (pods === undefined || pods.kind === 'denied') return undefined;
  return { verdict: pods.kind === 'hold' ? 'wait' : 'cannot-judge', reason: pods.reason };
}

/**
 * A window binds only the repair of a node that is still Ready, whose pods serve until then. One that is not Ready is replaced at any time, also
 * if the condition of another rule is due first.
 */
function closedWindow(
  { isStillReady }: FailingNode,
  { group, now }: { readonly group: AutoScalingGroup; readonly now: number },
): Judgement | undefined {
  const { window } = readRepair(group.tags);
  if (window === undefined || !isStillReady) return undefined;
  if (window === 'unreadable')
    return { verdict: 'wait', reason: `it is still Ready, and the tag ${repairWindowTagKey} cannot be read` };
  const state = windowAt(window, now);
  return state.isOpen
    ? undefined
    : {
        verdict: 'wait',
        reason: `it is still Ready, and the window of its group opens at ${new Date(state.opensAt).toISOString()}`,
      };
}

/** A kubelet can claim any providerID, so of two Nodes with one, nothing shows which is that of the instance. */
function contradiction(twins: readonly Node[], rules: readonly RepairRule[]): Judgement | undefined {
  const sound = twins.find((node) => isNodeReady(node) && failureOf(node, rules) === undefined);
  return (
    sound && {
      verdict: 'cannot-judge',
      reason: `the Node ${nameOfNode(sound)} has the same providerID and does not fail: delete the one that is not of this instance`,
    }
  );
}

/**
 * Replaces one node at a time: no other instance of the group is leaving, launching or Unhealthy, and its whole desired capacity is in
 * service. Answers of Auto Scaling may be a minute old; marks on Nodes, and missing Nodes, show what they do not show yet.
 *
 * During a zonal shift that Auto Scaling keeps Unhealthy instances for, those of its zone must not hold up the repair of the others for days.
 * A shift is away from one zone at a time, so that of Unhealthy instances in two zones at least one is about to be replaced.
 */
function boundOf(
  group: AutoScalingGroup,
  living: ReadonlyMap<string, Node>,
  zone: string,
): Judgement | undefined {
  const serving = group.instances.filter(isInService);
  const passing = group.instances.find((member) => !isInService(member) && !isSetAside(member));
  if (passing) return bounded(`one at a time: ${passing.instanceId} is ${passing.lifecycleState}`);
  const allUnhealthy = serving.filter(({ healthy }) => !healthy);
  const zones = new Set(allUnhealthy.map(({ availabilityZone }) => availabilityZone));
  const mayBeKept = group.ignoresUnhealthyInShift && zones.size === 1 && !zones.has(zone);
  const [unhealthy] = mayBeKept ? [] : allUnhealthy;
  if (unhealthy)
    return bounded(
      `one at a time: ${unhealthy.instanceId} is Unhealthy, and has yet to leave${group.ignoresUnhealthyInShift ? '; a zonal shift may keep it' : ''}`,
    );
  const marked = serving.find(({ instanceId }) => isMarked(living.get(instanceId)));
  if (marked) return bounded(`one at a time: the node of ${marked.instanceId} is leaving`);
  const nodeless = serving.find(({ instanceId }) => !living.has(instanceId));
  if (nodeless) return bounded(`one at a time: ${nodeless.instanceId} has no Node`);
  if (unitsOf(serving) < group.desiredCapacity)
    return bounded(
      `its group waits for replacements: ${unitsOf(serving)} of ${group.desiredCapacity}${group.countsUnits ? ' units' : ''} serve`,
    );
  return undefined;
}

/** Whether the instance is in Standby, retained or in the warm pool, so that the group does not count it. */
const isSetAside = (member: GroupMember): boolean =>
  member.lifecycleState === 'Standby' || isRetained(member) || member.lifecycleState.startsWith('Warmed:');

const isMarked = (node: Node | undefined): boolean =>
  readLeavingMark(node?.metadata?.annotations) !== undefined;

/** At most a fifth of the group, rounded up, is replaced within an hour. */
function hourlyBoundOf(
  { autoScalingGroupName, instances }: AutoScalingGroup,
  replacements: ReadonlyMap<string, Replacements>,
): Judgement | undefined {
  const recent = replacements.get(autoScalingGroupName) ?? {
    unknown: 'the activities of its group were not read',
  };
  if ('unknown' in recent) return { verdict: 'cannot-judge', reason: recent.unknown };
  const size = instances.filter(isInService).length;
  const most = Math.ceil(size / 5);
  return recent.count < most
    ? undefined
    : bounded(
        `health checks have replaced ${recent.count} of its group within the last hour: at most a fifth, which is ${most} of ${size}`,
      );
}

/**
 * kube-controller-manager stops evictions in a zone at the same defaults: at least three Nodes, and 55 % of all, are not Ready
 * (--unhealthy-zone-threshold; NodeLifecycleControllerConfiguration.UnhealthyZoneThreshold).
 */
const least = 3;
const share = 0.55;

/**
 * Why a failing node is not replaced: so many Nodes of the cluster or of its zone fail at the same time that the cause is probably the
 * API server or the network, and replacements would fail as well. Undefined if few fail.
 */
function disturbances(
  nodes: readonly Node[],
  failing: readonly FailingNode[],
): (node: FailingNode) => string | undefined {
  const names = new Set(failing.map(({ name }) => name));
  const isFailing = (node: Node): boolean => !isNodeReady(node) || names.has(nameOfNode(node));
  const disturbanceOf = (all: readonly Node[], where: string): string | undefined => {
    const count = all.filter(isFailing).length;
    return count >= least && count / all.length >= share
      ? `${count} of the ${all.length} Nodes ${where} fail`
      : undefined;
  };
  const ofCluster = nodes.some(isNodeReady)
    ? disturbanceOf(nodes, 'of the cluster')
    : 'no Node of the cluster is Ready';
  const ofZones = new Map(
    [...Map.groupBy(nodes, zoneOf)].map(([zone, all]) => [
      zone,
      disturbanceOf(all, zone === undefined ? 'without a zone' : `in ${zone}`),
    ]),
  );
  return ({ zone }) => ofCluster ?? ofZones.get(zone);
}

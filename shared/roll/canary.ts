import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { isDaemonSetPod, isFinished, isMirrorPod, isReady, terminatesAt } from '../draining/pod-facts.ts';
import { isInService, isRetained, isTerminating } from '../groups/lifecycle-state.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { isNodeReady, readyConditionOf } from '../nodes/node-condition.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import { readRollingMark } from '../nodes/rolling-mark.ts';
import { crashOnNewNode, nameOf, revisionOf } from './crashing-pods.ts';
import type { RollMember } from './member.ts';
import type { Roll } from './roll.ts';
import type { CanaryVerdict } from './step.ts';

/** What is known of one group of a roll. Times are epoch milliseconds. */
export interface CanaryFacts {
  readonly now: number;
  readonly roll: Pick<Roll, 'startedAt' | 'canary' | 'bakeSeconds' | 'resumedAt'>;
  /** EC2 reports that these were launched after the roll began. */
  readonly newMembers: readonly RollMember[];
  readonly oldMembers: readonly RollMember[];
  /** The old members of the other groups of its role: the group may have none left to compare with. */
  readonly oldPeers?: readonly RollMember[];
  /** Nothing is left to replace in the group, so no further canary is launched: those that it has must do. */
  readonly isReplaced?: boolean;
  /** All pods on the Nodes of these. */
  readonly pods: readonly Pod[];
  /** Members of etcd may have no kubelet: their launching hook ends once they vote. */
  readonly isEtcd?: boolean;
  /** From its launch on, an instance of the group has so long to become Ready. */
  readonly joinTimeoutSeconds: number;
  /** When the API server last did not answer. Nothing could become Ready before, so it has that time from then on. */
  readonly unreadableUntil?: number;
}

const waits = (reason: string): CanaryVerdict => ({ kind: 'waits', reason });
const failed = (reason: string): CanaryVerdict => ({ kind: 'failed', reason });

/**
 * Whether the new nodes of a group serve as the old ones do. It remembers nothing: as long as nothing changes, it comes to the same verdict
 * in each pass, also in a new process. Crashes on new nodes fail a roll at any time, also after its canary has passed, and without a canary.
 *
 * The canary has passed once `canary` new nodes have baked. If they are replaced in turn, their replacements have to bake. Pure.
 */
export function judgeCanary(canaryFacts: CanaryFacts): CanaryVerdict {
  const facts = withPlaces(canaryFacts);
  const { roll, newMembers, podsOn, podsOnOld, isReplaced = false } = facts;
  const crash = crashOnNewNode({
    onNew: newMembers.flatMap(podsOn),
    onOld: podsOnOld,
    startedAt: roll.startedAt,
    resumedAt: roll.resumedAt,
  });
  if (crash !== undefined) return failed(crash);
  const candidates = newMembers.filter(isCandidate).toSorted((one, other) => launchOf(one) - launchOf(other));
  const verdicts = candidates.map((member) => judgeMember(member, facts));
  const passed = verdicts.filter(({ kind }) => kind === 'passed').length;
  const needed = isReplaced ? Math.min(roll.canary, candidates.length) : roll.canary;
  if (passed >= needed) return { kind: 'passed', reason: `${passed} new nodes serve` };
  const canaries = verdicts.slice(0, needed);
  const open = (kind: CanaryVerdict['kind']) => canaries.find((verdict) => verdict.kind === kind);
  return (
    open('failed') ?? open('waits') ?? waits(`${candidates.length} of ${needed} canaries have been launched`)
  );
}

/** A group may have a thousand nodes, so pods are not searched for each of them. */
interface PlacedFacts extends CanaryFacts {
  readonly podsOn: (member: RollMember) => readonly Pod[];
  /** The pods on all old nodes. */
  readonly podsOnOld: readonly Pod[];
  /** Whether one of them is Ready, by their revision. */
  readonly isReadyOnOld: ReadonlyMap<string, boolean>;
}

function withPlaces(facts: CanaryFacts): PlacedFacts {
  const byNode = Map.groupBy(facts.pods, ({ spec }) => spec?.nodeName);
  const podsOn = ({ node }: RollMember) => (node && byNode.get(nameOfNode(node))) ?? [];
  const podsOnOld = [...facts.oldMembers, ...(facts.oldPeers ?? [])].flatMap(podsOn);
  const isReadyOnOld = new Map<string, boolean>();
  for (const pod of podsOnOld) {
    const revision = revisionOf(pod);
    if (revision !== undefined) isReadyOnOld.set(revision, isReadyOnOld.get(revision) || isReady(pod));
  }
  return { ...facts, podsOn, podsOnOld, isReadyOnOld };
}

/** An instance in Standby or the warm pool, or one that leaves, carries nothing for long. */
const isCandidate = (member: RollMember): boolean =>
  isInService(member) || member.lifecycleState.startsWith('Pending');

const launchOf = ({ launch }: RollMember): number => launch?.launchedAt ?? 0;

function judgeMember(member: RollMember, facts: PlacedFacts): CanaryVerdict {
  const { now, roll, joinTimeoutSeconds } = facts;
  const obstacle = obstacleOf(member, facts);
  if (obstacle !== undefined) {
    const isOverdue = now >= obstacle.since + joinTimeoutSeconds * 1000;
    return isOverdue
      ? failed(`new node ${obstacle.what}, although it has had ${joinTimeoutSeconds} s`)
      : waits(`new node ${obstacle.what}`);
  }
  const bake = bakeOf(member, facts);
  if ('kind' in bake) return bake;
  const endsAt = bake.since + roll.bakeSeconds * 1000;
  return now >= endsAt
    ? { kind: 'passed', reason: `new node ${nodeNameOf(member)} has baked` }
    : waits(`new node ${nodeNameOf(member)} bakes until ${new Date(endsAt).toISOString()}`);
}

const nodeNameOf = ({ node, instanceId }: RollMember): string => (node ? nameOfNode(node) : instanceId);

/** Why a node is not Ready with its DaemonSets, and since when it has had time to be. */
interface Obstacle {
  readonly what: string;
  readonly since: number;
}

/** Nothing could become Ready before, or people have resumed the roll since: what was late has its time again. */
const timeBeginsAt = ({ unreadableUntil = 0, roll: { resumedAt = 0 } }: CanaryFacts): number =>
  Math.max(unreadableUntil, resumedAt);

/**
 * Why the member is not Ready with its DaemonSets; undefined if it is. A DaemonSet whose pods on old nodes are not Ready either does
 * not count, and none counts that has no pod on the node.
 */
function obstacleOf(member: RollMember, facts: PlacedFacts): Obstacle | undefined {
  const { podsOn, isReadyOnOld, isEtcd = false } = facts;
  const { node, instanceId } = member;
  const since = Math.max(launchOf(member), timeBeginsAt(facts));
  if (!node && isEtcd && isInService(member)) return undefined;
  if (!node) return { what: `of ${instanceId} has not joined`, since };
  if (!isNodeReady(node)) return { what: `${nameOfNode(node)} is not Ready`, since };
  const unready = podsOn(member)
    .filter((pod) => isDaemonSetPod(pod) && isServing(pod) && !isReady(pod))
    .filter((pod) => isReadyOnOld.get(revisionOf(pod) ?? '') ?? true)
    .map((pod) => ({
      what: `${nameOfNode(node)} waits for DaemonSet pod ${nameOf(pod)}`,
      since: Math.max(since, unreadySince(pod)),
    }));
  return unready.toSorted((one, other) => one.since - other.since)[0];
}

/** Neither finished nor terminating. */
const isServing = (pod: Pod): boolean => !isFinished(pod) && terminatesAt(pod) === undefined;

const readyChangeOf = ({ status }: Pod): number =>
  Date.parse(status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? '');

const unreadySince = (pod: Pod): number => {
  const changed = readyChangeOf(pod);
  return Number.isNaN(changed) ? Date.parse(pod.metadata?.creationTimestamp ?? '') || 0 : changed;
};

/**
 * Since when the member bakes: its first pod is Ready. It waits for that as long as pods start on it, or as an old node that leaves has pods
 * to evict. If none comes, as in an empty cluster, it bakes since it is Ready itself.
 */
function bakeOf(member: RollMember, facts: PlacedFacts): CanaryVerdict | { readonly since: number } {
  const name = nodeNameOf(member);
  const carried = facts.podsOn(member).filter(isEvictable);
  const since = carried.map(servesSince).filter((at) => !Number.isNaN(at));
  if (since.length > 0) return { since: Math.min(...since) };
  const [slow, starting] = partition(carried.filter(isServing), (pod) => isSlow(pod, facts));
  const stuck = slow.find((pod) => facts.isReadyOnOld.get(revisionOf(pod) ?? ''));
  if (stuck)
    return failed(
      `no pod is Ready on new node ${name}: ${nameOf(stuck)} has not been for ${facts.joinTimeoutSeconds} s, and pods like it are Ready on old nodes`,
    );
  const [first] = starting;
  if (first) return waits(`new node ${name} waits until a pod on it is Ready, such as ${nameOf(first)}`);
  const leaving = facts.oldMembers.find(
    (old) => isLeaving(old) && facts.podsOn(old).some((pod) => isEvictable(pod) && !isFinished(pod)),
  );
  if (leaving) return waits(`new node ${name} waits for the pods of old node ${nodeNameOf(leaving)}`);
  return { since: readyNodeSince(member) };
}

const partition = <Item>(items: readonly Item[], matches: (item: Item) => boolean) =>
  [items.filter(matches), items.filter((item) => !matches(item))] as const;

/** When the pod became Ready, or started if it has finished; NaN if it is neither. */
const servesSince = (pod: Pod): number => {
  if (isReady(pod)) return readyChangeOf(pod);
  return isFinished(pod) ? Date.parse(pod.status?.startTime ?? '') : Number.NaN;
};

const isSlow = (pod: Pod, facts: CanaryFacts): boolean =>
  facts.now >= Math.max(unreadySince(pod), timeBeginsAt(facts)) + facts.joinTimeoutSeconds * 1000;

const readyNodeSince = (member: RollMember): number =>
  Date.parse((member.node && readyConditionOf(member.node)?.lastTransitionTime) ?? '') || launchOf(member);

const isEvictable = (pod: Pod): boolean => !isDaemonSetPod(pod) && !isMirrorPod(pod);

const isLeaving = (member: RollMember): boolean => {
  const annotations = member.node?.metadata?.annotations;
  return (
    (isTerminating(member) && !isRetained(member)) ||
    readLeavingMark(annotations) !== undefined ||
    readRollingMark(annotations) !== undefined
  );
};

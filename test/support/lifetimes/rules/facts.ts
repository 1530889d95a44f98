import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { joiningHookName } from '../../../../local/names.ts';
import { clusterName } from '../../../../local/world/drover-world.ts';
import {
  isDaemonSetPod,
  isFinished,
  isMirrorPod,
  onlyFinalizersRemain,
  toleratesCordon,
} from '../../../../shared/draining/pod-facts.ts';
import { isManaged, isTagged } from '../../../../shared/groups/group.ts';
import { readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { pauseOf } from '../../../../shared/passes/pause.ts';
import type { Spell } from '../plan/spells.ts';
import type { Call } from '../watch/call.ts';
import { type Resident, settingsOf } from '../watch/census.ts';
import type { View } from './rule.ts';

/** What Drover reads may be so old: groups for twenty seconds, and then the pass goes on with what it has read. */
export const staleMilliseconds = 55_000;

/** There is a reason for it to leave, or it has left already. */
export const isLeaving = (resident: Resident): boolean =>
  resident.leavingSince !== undefined || resident.lifecycleState === undefined;

/** The earliest moment at which what is left may be deleted, less the margins that Drover keeps. Epoch milliseconds. */
export function earliestDeadline(resident: Resident, view: View): number {
  const since = Math.min(resident.leavingSince ?? view.now, resident.editedSince ?? Infinity);
  // The first pass may know only the tags from before a change.
  const tags = view.census.tagsSince(resident.autoScalingGroupName, since - staleMilliseconds);
  const drainSeconds = Math.min(...tags.map((one) => settingsOf(one).drainTimeoutSeconds));
  // AWS denies heartbeats without the tag of the cluster, so the wait ends a timeout after one that it accepted.
  const deniedEnd = hasLostTags(view, resident.autoScalingGroupName, since)
    ? since + Math.min(...heartbeatTimeouts(view, resident.autoScalingGroupName)) * 1000 - 10_000
    : Infinity;
  const noticeEnd = resident.takenAt === undefined ? Infinity : resident.takenAt - 10_000;
  return Math.min(since + drainSeconds * 1000, noticeEnd, deniedEnd) - clockErrorMilliseconds(view);
}

/** A deadline follows the clock of the function that keeps it. If no mark can be written, it counts from the notice, by the clock of intake. */
function clockErrorMilliseconds({ plan }: View): number {
  const { 'node-leaving': leaving = 0, intake = 0 } = plan.conditions.clockOffsetSeconds;
  return Math.max(Math.abs(leaving), Math.abs(leaving - intake)) * 1000;
}

/** The group has been without the tag of the cluster, so that its instances do not wait for turns. */
export const hasLostClusterTag = ({ census, plan }: View, name: string, since: number): boolean =>
  plan.groups.some((group) => group.autoScalingGroupName === name && group.managed) &&
  census.tagsSince(name, since - staleMilliseconds).some((tags) => !isTagged({ tags }, clusterName));

/** Whether the group has been without a tag of Drover since then, or so shortly before that Drover may not know that it is back. */
export const hasLostTags = ({ census, plan }: View, name: string, since: number): boolean =>
  plan.groups.some((group) => group.autoScalingGroupName === name && group.managed) &&
  census.tagsSince(name, since - lostMilliseconds).some((tags) => !isManaged({ tags }, clusterName));

/** Passes of other functions come every few minutes. */
const lostMilliseconds = 400_000;

/** Every timeout that the group's hook has had, in seconds; empty if the group never had the hook. */
export function heartbeatTimeouts({ plan, census }: View, name: string): readonly number[] {
  const planned = plan.groups.find(({ autoScalingGroupName }) => autoScalingGroupName === name);
  return [planned, ...census.hookChanges(name)].flatMap((one) => one?.heartbeatTimeoutSeconds ?? []);
}

/** The timeout of the group's launch hook, in seconds; 3600 if the group has no launch hook. */
export const launchTimeoutSeconds = ({ plan }: View, name: string): number =>
  plan.groups.find(({ autoScalingGroupName }) => autoScalingGroupName === name)?.launchHook
    ?.heartbeatTimeoutSeconds ?? 3600;

/** A call about the launch hook. */
export const isOfJoin = (call: Call): boolean =>
  (call.kind === 'beat' || call.kind === 'complete') && call.hook === joiningHookName;

/** Pods on this Node that a drain has to wait for: running, and neither a DaemonSet's nor static, nor returned in spite of the cordon. */
export const drainablePods = (view: View, nodeName: string): readonly Pod[] =>
  workloadPods(view, nodeName).filter(
    (pod) => pod.status?.phase === 'Running' && !hasReturned(view, pod, nodeName),
  );

/** The pod tolerates the cordon, and was made after the Node was marked, or after there was a reason to drain a Node that cannot be marked. */
export function hasReturned(view: View, pod: Pod, nodeName: string): boolean {
  if (!toleratesCordon(pod)) return false;
  const { world, census } = view;
  const node = world.kubernetes.store.of('nodes').get(undefined, nodeName);
  const mark = readLeavingMark(node?.metadata.annotations);
  const { leavingSince = Infinity, editedSince = Infinity } = census.ofNode(nodeName) ?? {};
  const isUnmarkable = mark === undefined && view.spellsSince(leavingSince).some(forbidsMarks);
  if (mark === undefined && !isUnmarkable) return false;
  const since = mark ? Date.parse(mark.since) : leavingSince;
  // Drover takes the time in an edited mark for the beginning of the drain, if that can be.
  return Date.parse(pod.metadata?.creationTimestamp ?? '') > Math.min(since, editedSince);
}

const forbidsMarks = (spell: Spell): boolean => 'verb' in spell && spell.verb === 'patch nodes';

/** Pods on this Node that have not finished, and are neither a DaemonSet's nor static. */
export const workloadPods = ({ world }: View, nodeName: string): readonly Pod[] =>
  world.kubernetes.store
    .of('pods')
    .find('node', nodeName)
    .filter(
      (pod) => !isFinished(pod) && !isDaemonSetPod(pod) && !isMirrorPod(pod) && !onlyFinalizersRemain(pod),
    );

/** Its kubelet has answered for so long that Drover must know, and EC2 runs it. */
export function answers(resident: Resident, view: View): boolean {
  const { world, now } = view;
  if (world.account.ec2.instances.find(resident.instanceId)?.state !== 'running') return false;
  if (world.kubelets.get(resident.instanceId)?.alive !== true) return false;
  return resident.silentAt === undefined || now - resident.silentAt > staleMilliseconds * 2;
}

/** The kubelet of another instance than the one in its providerID serves the Node: it has the same host name. */
export function isTaken({ world, census }: Pick<View, 'world' | 'census'>, nodeName: string): boolean {
  const named = census.ofNode(nodeName)?.instanceId;
  // A kubelet that still waits for its certificate serves no Node.
  const node = world.kubernetes.store.of('nodes').get(undefined, nodeName);
  const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return false;
  return census.all().some(({ instanceId }) => {
    const kubelet = instanceId === named ? undefined : world.kubelets.get(instanceId);
    return kubelet?.alive === true && kubelet.nodeName === nodeName;
  });
}

/** The pod that a call means, if it is still that one. */
export function podOf({ world }: View, call: Call): Pod | undefined {
  if (call.kind !== 'evict' && call.kind !== 'delete-pod') return undefined;
  const pod = world.kubernetes.store.of('pods').get(call.pod.namespace, call.pod.name);
  return call.pod.uid === undefined || pod?.metadata.uid === call.pod.uid ? pod : undefined;
}

/** Whose instance a call is about. */
export function residentOf(view: View, call: Call): Resident | undefined {
  switch (call.kind) {
    case 'evict':
    case 'delete-pod':
      return view.census.ofNode(podOf(view, call)?.spec?.nodeName ?? '');
    case 'delete-node':
    case 'patch-node':
      return view.census.ofNode(call.node.name);
    case 'complete':
    case 'beat':
    case 'hand-back':
    case 'give-back':
    case 'set-health':
      return view.census.find(call.instanceId);
    case 'approve':
    case 'set-bounds':
    case 'send':
    case 'notify':
    case 'read':
      return undefined;
  }
}

/** The group has been paused for so long that every pass must know. */
export function isPausedForLong({ autoScalingGroupName }: Resident, view: View): boolean {
  const tags = view.census.tagsSince(autoScalingGroupName, view.now - staleMilliseconds);
  return tags.length > 0 && tags.every((groupTags) => pauseOf(groupTags) !== undefined);
}

export const isManagedGroup = ({ plan }: View, autoScalingGroupName: string): boolean =>
  plan.groups.some((group) => group.autoScalingGroupName === autoScalingGroupName && group.managed);

export const time = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(11, 19);

import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { readSettings } from '../../../../shared/groups/group-settings.ts';
import { joiningTags } from '../../../../shared/joining/settings.ts';
import { pauseOf } from '../../../../shared/passes/pause.ts';
import type { Resident } from '../watch/census.ts';
import {
  hasLostTags,
  isManagedGroup,
  isOfJoin,
  launchTimeoutSeconds,
  residentOf,
  staleMilliseconds,
  time,
} from './facts.ts';
import type { Rule, View } from './rule.ts';
import { keepsHeartbeats, killedMilliseconds } from './waits.ts';

export const joinsAreKept: Rule = {
  name: 'joins-are-kept',
  sentence:
    'No wait on Drover’s launch hook times out, whatever happens to the API server: it ends because Drover completes it, or because the instance is scaled in or taken.',
  onMoment: (view) => {
    for (const resident of view.census.all()) {
      const { join, instanceId, autoScalingGroupName, lifecycleState } = resident;
      if (join?.endedAt !== view.now || join.completedAt !== undefined) continue;
      // The default result of the hook is CONTINUE.
      const isIntoService = lifecycleState === 'InService' || lifecycleState === 'Pending:Proceed';
      if (!isIntoService || !isManagedGroup(view, autoScalingGroupName)) continue;
      if (isExcused(resident, join.since, view)) continue;
      return `the wait of ${instanceId} to join since ${time(join.since)} has run out`;
    }
    return undefined;
  },
};

function isExcused({ autoScalingGroupName }: Resident, since: number, view: View): boolean {
  const { now, lastKilledAt } = view;
  if (hasLostTags(view, autoScalingGroupName, since)) return true;
  if (now - since >= 100 * launchTimeoutSeconds(view, autoScalingGroupName) * 1000 - 60_000) return true;
  if (lastKilledAt !== undefined && lastKilledAt > since - killedMilliseconds) return true;
  return view.spellsSince(since - killedMilliseconds).some(keepsHeartbeats);
}

/** A run for certificates a minute, a pass every twenty seconds, and what Auto Scaling refuses meanwhile. */
const joinedMilliseconds = 300_000;
/** So long may the Node of an instance be left over that ended without a drain: its kubelet goes silent, and the sweep looks every five minutes. */
const leftOverMilliseconds = 900_000;

export const joinsEndInTime: Rule = {
  name: 'joins-end-in-time',
  sentence: 'An instance joins within minutes while nothing is disturbed, whatever else has or had its name.',
  onMoment: (view) => {
    for (const resident of view.census.all()) {
      const { join, instanceId, lifecycleState } = resident;
      if (lifecycleState !== 'Pending:Wait' || join === undefined || isDisturbed(resident, join.since, view))
        continue;
      const end = join.since + longestJoin(resident, view);
      if (view.now > end) return `${instanceId} waits to join since ${time(join.since)}`;
    }
    return undefined;
  },
};

function longestJoin({ autoScalingGroupName }: Resident, { plan }: View): number {
  const group = plan.groups.find((one) => one.autoScalingGroupName === autoScalingGroupName);
  const readySeconds = group?.launchHook?.readyDelaySeconds ?? 0;
  const leftOver = plan.conditions.addressesComeBack ? leftOverMilliseconds : 0;
  return readySeconds * 1000 + joinedMilliseconds + leftOver;
}

function isDisturbed(resident: Resident, since: number, view: View): boolean {
  const { autoScalingGroupName, instanceId, silentAt, nodeDeletedByHand } = resident;
  const { lastKilledAt, plan, world, census } = view;
  if (!isManagedGroup(view, autoScalingGroupName) || hasLostTags(view, autoScalingGroupName, since))
    return true;
  if (world.kubelets.get(instanceId)?.alive !== true || silentAt !== undefined || nodeDeletedByHand)
    return true;
  if (lastKilledAt !== undefined && lastKilledAt > since - killedMilliseconds) return true;
  if (census.tagsSince(autoScalingGroupName, since).some((tags) => pauseOf(tags) !== undefined)) return true;
  // The times of requests and launches are compared.
  const offsets = Object.entries(plan.conditions.clockOffsetSeconds);
  if (offsets.some(([part, seconds]) => part !== 'prewarm' && seconds !== 0)) return true;
  return view.spellsSince(since - killedMilliseconds).length > 0;
}

export const joinsOnEvidence: Rule = {
  name: 'joins-on-evidence',
  sentence:
    'The wait of a joining instance is continued only with its Node Ready, and abandoned only past the deadline of a group that wants it, or once EC2 has terminated it.',
  onCall: (call, view) => {
    const resident = residentOf(view, call);
    if (call.kind !== 'complete' || !isOfJoin(call) || !resident) return undefined;
    const isReady = readyCondition(nodeOf(resident, view))?.status === 'True';
    if (call.result === 'CONTINUE')
      return isReady || isOver(resident) || isSilent(resident, view)
        ? undefined
        : `${call.instanceId} is continued without a Ready Node`;
    if (view.world.account.ec2.instances.find(resident.instanceId)?.state !== 'running') return undefined;
    return findAbandonment(resident, view);
  },
};

const nodeOf = ({ nodeName = '' }: Resident, { world }: View): Node | undefined =>
  world.kubernetes.store.of('nodes').get(undefined, nodeName);

const readyCondition = (node: Node | undefined) =>
  node?.status?.conditions?.find(({ type }) => type === 'Ready');

/** Its wait has ended, so that AWS refuses the call: a leave may have deleted the Node since the pass read it. */
const isOver = ({ lifecycleState }: Resident): boolean => !lifecycleState?.startsWith('Pending');

/** A pass may have read the Node before its kubelet went silent, or before the history deleted the Node. */
const isSilent = ({ silentAt, nodeDeletedByHand }: Resident, view: View): boolean =>
  nodeDeletedByHand ||
  (silentAt !== undefined && view.now - silentAt < 2 * staleMilliseconds) ||
  readsOldNodes(view);

const readsOldNodes = (view: View): boolean =>
  view.spellsSince(view.now - staleMilliseconds).some(({ kind }) => kind === 'stale-reads');

const defaults = { joinTimeoutSeconds: 720, onJoinFailure: 'hold' } as const;

function findAbandonment(resident: Resident, view: View): string | undefined {
  const { instanceId, autoScalingGroupName, join } = resident;
  const settings = view.census
    .tagsSince(autoScalingGroupName, view.now - staleMilliseconds)
    .map((tags) => readSettings(joiningTags, { tags, defaults }).settings);
  if (settings.every(({ onJoinFailure }) => onJoinFailure === 'hold'))
    return `${instanceId} is abandoned, and its group wants it held`;
  const waited = view.now - (join?.since ?? view.now) + clockErrorMilliseconds(view);
  const shortest = Math.min(...settings.map(({ joinTimeoutSeconds }) => joinTimeoutSeconds));
  if (waited < shortest * 1000) return `${instanceId} is abandoned before its deadline`;
  const ready = readyCondition(nodeOf(resident, view));
  const isReadyForLong =
    ready?.status === 'True' && view.now - Date.parse(ready.lastTransitionTime ?? '') > staleMilliseconds;
  return isReadyForLong && !readsOldNodes(view)
    ? `${instanceId} is abandoned with its Node Ready`
    : undefined;
}

const clockErrorMilliseconds = ({ plan }: View): number =>
  Math.max(0, ...Object.values(plan.conditions.clockOffsetSeconds).map(Math.abs)) * 2000;

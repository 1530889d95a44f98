import { type GroupInstance, isManaged, type LifecycleAction, type LifecycleHook } from '../groups/group.ts';
import { readLeavingSettings } from '../groups/group-settings.ts';
import { isTerminatingWait, isWarmedPendingWait } from '../groups/lifecycle-state.ts';
import { beginHooks } from '../passes/hook-notice.ts';
import { withoutEndedChanges } from '../passes/leaving-notice.ts';
import { again, done, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import { pausedReason, pauseOf } from '../passes/pause.ts';
import type { Noted } from '../passes/steps.ts';
import { begin } from '../passes/time-is-up.ts';
import type { BegunReads, Leaving, LeavingContext, LeavingSubject, Observed, Started } from './context.ts';
import { isNodeDeleted, searchMarkedNode } from './find-node.ts';
import {
  confirmMissing,
  deleteOrphanedNode,
  uncordonAfterChange,
  uncordonLeftoverNode,
  uncordonReturnedNode,
} from './leftover-node.ts';
import { groupWithoutTags } from './lost-tags.ts';
import { doubtAbout, needsEc2, situationOf } from './situation.ts';

/**
 * Begins the reads of a leave side by side. Each after the other, they would take a third of the time of a pass if AWS takes seconds to
 * answer, and the API server too. The first pass reads EC2, for the names of the Node. A later one reads the Node by its mark, and EC2 only
 * if there is none, so an instance that waits for its turn costs no more calls of EC2.
 */
export async function beginReads(
  context: LeavingContext,
  { subject }: Started,
): Promise<Pick<Started, 'subject'>> {
  return { subject: { ...subject, begun: readsOf(context, subject) } };
}

function readsOf(context: LeavingContext, subject: LeavingSubject): BegunReads {
  const { instanceId, notices, redelivered } = subject;
  const { autoScaling, clock, ec2, memory } = context;
  const known = memory.recall(instanceId);
  const isNamed = notices.some(({ nodeName }) => nodeName);
  const needsEc2 = !redelivered || isNodeDeleted(subject);
  const isFound = known?.node !== undefined || known?.nodeDeleted === true;
  return {
    at: clock.now(),
    hooksOf: beginHooks(autoScaling, notices),
    ...(needsEc2 && !isFound && !isNamed && { ec2: begin(() => ec2.describeInstance(instanceId)) }),
    ...(redelivered && !isFound && { markedNode: begin(() => searchMarkedNode(context, subject)) }),
  };
}

/** Reads the instance and its group from Auto Scaling, and the instance from EC2 if that is not enough to decide. */
export async function observe(
  context: LeavingContext,
  { subject, notes }: Started,
): Promise<Observed & Started> {
  const { instanceId, notices } = subject;
  const { autoScaling, clock, settings: own } = context;
  // EC2's report may be newer than a cached response of Auto Scaling, so the instance is read again.
  const isGoneByNotice = notices.some(({ cause }) => cause === 'instance-gone');
  const instance = await autoScaling.describeInstance(instanceId, isGoneByNotice ? clock.now() : undefined);
  const ec2 = needsEc2(instance, notices)
    ? await (subject.begun?.ec2 ?? context.ec2.describeInstance(instanceId))
    : undefined;
  const groupName = instance?.autoScalingGroupName ?? ec2?.tags['aws:autoscaling:groupName'];
  const group = groupName === undefined ? undefined : await autoScaling.describeGroup(groupName);
  const managedGroup = group && isManaged(group, own.clusterName) ? group : undefined;
  const { settings, problems } = readLeavingSettings(group?.tags ?? {}, own.defaults);
  const current = withoutEndedChanges(notices);
  const judged = current.map((notice) => ({ notice, doubt: doubtAbout(notice, { instance, ec2 }) }));
  const confirmed = judged.flatMap(({ notice, doubt }) => (doubt === undefined ? [notice] : []));
  const doubts = new Set(judged.flatMap(({ doubt }) => doubt ?? []));
  const isForeign = instance !== undefined && managedGroup === undefined;
  const observation: Observed['observation'] = {
    situation:
      isForeign && !isTerminatingWait(instance)
        ? { kind: 'stays', reason: notTagged(groupName) }
        : situationOf({
            now: clock.now(),
            instance,
            ec2,
            notices: confirmed,
            drainOnRebalance: settings.drainOnRebalance,
          }),
    instance,
    ec2,
    managedGroup,
    settings,
    tagProblems: problems,
  };
  return {
    observation,
    subject: { ...subject, notices: confirmed },
    notes: [...notes, ...doubts],
  };
}

const notTagged = (groupName = ''): string => `its group ${groupName} is not tagged as this cluster's`;

const retrySeconds = 5;

/**
 * An instance in Warmed:Pending:Wait either returns to the warm pool or is launched into it. The token of a terminate action shows that
 * it returns. A notice of the sweep has no token. If the group has a launching hook too, such a notice counts only once Auto Scaling has
 * accepted a heartbeat for our hook, which it does only while the instance waits on that hook.
 */
export async function confirmReturn(
  context: LeavingContext,
  { subject, observation }: Started & Observed,
): Promise<Outcome | object> {
  const { situation, instance } = observation;
  if (situation.kind !== 'waiting' || !instance || !isWarmedPendingWait(instance)) return {};
  if (subject.notices.some(({ hook }) => hook?.lifecycleActionToken !== undefined)) return {};
  const hooks = await context.autoScaling.describeHooks(instance.autoScalingGroupName);
  if (!hooks.some(isLaunching) || context.memory.recall(instance.instanceId)?.waitsOnOurHook) return {};
  try {
    const answer = await context.autoScaling.recordHeartbeat(actionOf(context, instance));
    if (answer === 'not-active')
      return done('it is launched into the warm pool: it does not wait on our hook');
    context.memory.remember(instance.instanceId, { waitsOnOurHook: true });
    return {};
  } catch (error) {
    context.reportError(
      `the heartbeat for ${instance.instanceId} could not be sent; it is tried again`,
      error,
    );
    return again(
      retrySeconds,
      'it returns to the warm pool or is launched into it: a heartbeat has to show which',
    );
  }
}

const isLaunching = ({ transition }: LifecycleHook): boolean => transition === 'launching';

const actionOf = (
  { settings: { leavingHookName: lifecycleHookName } }: LeavingContext,
  { autoScalingGroupName, instanceId }: GroupInstance,
): LifecycleAction => ({ autoScalingGroupName, lifecycleHookName, instanceId });

const settlingSeconds = 5;

/**
 * Passes on only an instance that waits on its terminating hooks, or that runs and has a notice that is a reason to leave: EC2 reclaims
 * it, AWS Health announces its retirement, or its group follows rebalance recommendations.
 */
export async function confirmLeaving(
  context: LeavingContext,
  { subject, observation, notes }: Started & Observed,
): Promise<Outcome | (Leaving & Noted)> {
  const { situation, settings, instance, managedGroup: group, ec2, tagProblems } = observation;
  const pause = group && pauseOf(group.tags);
  switch (situation.kind) {
    case 'stays':
      if (pause) return done(situation.reason);
      return (
        (situation.ends ? undefined : await uncordonAfterChange(context, subject, situation.reason)) ??
        (await uncordonReturnedNode(context, subject, instance)) ??
        (await uncordonLeftoverNode(context, subject)) ??
        done(situation.reason)
      );
    case 'settling':
      return again(settlingSeconds, situation.reason);
    case 'missing':
      return asGone(await confirmMissing(context, subject));
    case 'gone': {
      if (!pause) {
        const { reason } = situation;
        const isManaged = group !== undefined;
        const isTerminated = ec2?.state === 'terminated';
        return asGone(await deleteOrphanedNode(context, subject, { isManaged, reason, isTerminated }));
      }
      const reason = pausedReason(pause, { now: context.clock.now(), limit: Infinity });
      return again(longestWaitSeconds, reason, { waitsFor: 'pause' });
    }
    case 'waiting':
    case 'noticed': {
      if (!instance) throw new TypeError('a leaving instance must be in a group');
      const found = group ? { group, notes: [] } : await groupWithoutTags(context, subject, instance);
      if (!found) return done(notTagged(instance.autoScalingGroupName));
      const waits = situation.kind === 'waiting';
      const toWarmPool = waits && situation.toWarmPool;
      const keepsNode = waits && situation.keepsNode;
      return {
        instance,
        ...found,
        settings,
        ec2,
        waits,
        toWarmPool,
        keepsNode,
        notes: [...notes, ...tagProblems, ...found.notes],
      };
    }
  }
}

/** For `drover report`: a pass that was killed after it had completed the hook wrote no line, and the next one finds only that the instance is gone. */
const asGone = (outcome: Outcome): Outcome =>
  outcome.status === 'done' ? { ...outcome, facts: { ...outcome.facts, release: 'gone' } } : outcome;

import { nameOfNode } from '../nodes/node-names.ts';
import { completeAction } from '../passes/hook-action.ts';
import { again, done, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import { pausedReason, pauseOf } from '../passes/pause.ts';
import type { ClusterObserved, Joining, JoiningContext, Judged, Overdue, Planned } from './context.ts';

/** If the group is paused, the pass does nothing. The heartbeats of the wait go on. */
export async function holdWhilePaused(
  { clock }: JoiningContext,
  { group, plan: { hook, deadlines } }: Joining & Planned,
): Promise<Outcome | object> {
  const pause = pauseOf(group.tags);
  if (!pause) return {};
  const end = `${hook.defaultResult} ends it, the default result of ${hook.lifecycleHookName}`;
  const reason = pausedReason(pause, { now: clock.now(), limit: deadlines.limit, end });
  return again(longestWaitSeconds, reason, { waitsFor: 'pause' });
}

type State = Joining & Planned & ClusterObserved & Judged;

/** If the instance is ready, ends its wait with CONTINUE. */
export async function completeHook(
  { autoScaling, clock }: JoiningContext,
  { readiness, plan, group, node, toWarmPool }: State,
): Promise<Outcome | object> {
  if (readiness.kind !== 'ready') return {};
  const answer = await completeAction(autoScaling, plan.action, 'CONTINUE');
  const result = answer === 'completed' ? 'its hook is completed' : 'its hook waits no longer';
  return done(`${readiness.reason}: ${result}`, {
    autoScalingGroupName: group.autoScalingGroupName,
    ...(node && { node: nameOfNode(node) }),
    ...(toWarmPool
      ? { toWarmPool }
      : answer === 'completed' && { joinSeconds: Math.round((clock.now() - plan.since) / 1000) }),
  });
}

/** Most nodes join within this time. Passes run often in it, because pods may wait for the node. */
const quickMilliseconds = 300_000;
const quickSeconds = 5;

/** Ends the pass: the instance is not ready. The reason shows whether it is overdue. */
export async function awaitJoin(
  { clock }: JoiningContext,
  { readiness, plan: { since, deadlines }, group, held }: Joining & Planned & Judged & Overdue,
): Promise<Outcome> {
  const now = clock.now();
  const overdueSeconds = Math.max(0, Math.floor((now - deadlines.deadline) / 1000));
  const overdue = overdueSeconds > 0 ? `; it should have joined ${overdueSeconds} s ago` : '';
  const why = held ? `; ${held.reason}` : '';
  const seconds = now - since < quickMilliseconds ? quickSeconds : longestWaitSeconds;
  return again(seconds, `${readiness.reason}${overdue}${why}`, {
    autoScalingGroupName: group.autoScalingGroupName,
    joinOverdueSeconds: overdueSeconds,
    ...(held?.isBackedOff && { joinsBackedOff: 1 }),
    ...(readiness.kind === 'waiting' && { waitsFor: readiness.waitsFor }),
  });
}

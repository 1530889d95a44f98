import { joiningHookName } from '../../../../local/names.ts';
import { hookName } from '../../../../local/world/drover-world.ts';
import { heartbeatIntervalSeconds } from '../../../../shared/groups/hook-timing.ts';
import { isOfAws } from '../plan/spells.ts';
import type { Call } from '../watch/call.ts';
import type { Resident } from '../watch/census.ts';
import {
  answers,
  earliestDeadline,
  hasLostTags,
  heartbeatTimeouts,
  isOfJoin,
  launchTimeoutSeconds,
  residentOf,
  time,
} from './facts.ts';
import { podsLeftBehind } from './pods.ts';
import { isTaking } from './rolls/facts.ts';
import type { Rule, View } from './rule.ts';

export const ownHookOnly: Rule = {
  name: 'own-hook-only',
  sentence:
    'Each function of passes completes only its own hook, and heartbeats extends only hooks of Drover.',
  onCall: (call) => {
    if (call.kind !== 'complete' && call.kind !== 'beat') return undefined;
    const own = call.caller === 'node-joining' ? [joiningHookName] : [hookName];
    const extended = call.caller === 'heartbeats' ? [joiningHookName, hookName] : own;
    if ((call.kind === 'beat' ? extended : own).includes(call.hook)) return undefined;
    return `${call.caller}: ${call.kind} of the hook ${call.hook} for ${call.instanceId}`;
  },
};

export const drainedBeforeRelease: Rule = {
  name: 'drained-before-release',
  sentence:
    'Before the deadline no running instance is released, and its Node is not deleted, while pods that can be drained still run there.',
  onCall: (call, view) => {
    const releases =
      call.kind === 'delete-node' ||
      // With that of a roll the instance only begins to leave.
      (call.kind === 'hand-back' && !isTaking(call)) ||
      (call.kind === 'complete' && !isOfJoin(call) && call.result === 'CONTINUE');
    const resident = residentOf(view, call);
    if (!releases || resident?.nodeName === undefined) return undefined;
    if (resident.nodeDeletedByHand || !answers(resident, view)) return undefined;
    // The deletion of the Node was checked. What is bound to it since, or returned before, goes with the mark that would show it.
    if (call.kind !== 'delete-node' && !hasNode(resident, view)) return undefined;
    if (call.at >= earliestDeadline(resident, view) - 1000) return undefined;
    const left = podsLeftBehind(view, resident.nodeName);
    return left === '' ? undefined : `${call.kind} for ${resident.instanceId} with pods running: ${left}`;
  },
};

const hasNode = ({ nodeName = '' }: Resident, { world }: View): boolean =>
  world.kubernetes.store.of('nodes').get(undefined, nodeName) !== undefined;

/** What is remembered of a wait counts for so long. */
const rememberedMilliseconds = 60_000;

/**
 * The first pass of an environment sends a heartbeat before it reads whether the instance still waits, for a message that a
 * killed invocation left behind, for example, or where a pause keeps it. Auto Scaling then answers that nothing waits. That is two calls, by
 * token and by instance, in each environment; while the API server is away passes last long, and a dozen instances have six at most.
 */
const mostCallsAfterTheEnd = 12;
/** An instance that Auto Scaling does not know is confirmed as gone for so long, with a heartbeat in each interval. */
const confirmedSeconds = 300;
const callsAfterTheEnd = new WeakMap<object, { readonly calls: number; readonly at: number }>();

export const noOrphanHeartbeats: Rule = {
  name: 'no-orphan-heartbeats',
  sentence:
    'Heartbeats are sent only for waiting instances and before the global timeout; a pass whose heartbeat is refused sends no other.',
  onCall: (call, view) => {
    const resident = residentOf(view, call);
    if (call.kind !== 'beat' || !resident) return undefined;
    const wait = waitOf(resident, call, view);
    if (wait.since === undefined) return `a heartbeat for ${call.instanceId}, which never waited`;
    // Whether it goes on after the end depends on the answer.
    if (isLongOver(wait, call)) return undefined;
    const longest = wait.timeouts.length === 0 ? 3600 : Math.max(...wait.timeouts);
    const limit = wait.since + Math.min(48 * 3600, 100 * longest) * 1000;
    // The refusal of a heartbeat shows that the wait is over: a pause may keep a launch until then.
    return call.at < limit + rememberedMilliseconds
      ? undefined
      : `a heartbeat for ${call.instanceId} past the global timeout`;
  },
  onAnswer: ({ call, isThrottled }, view) => {
    const resident = residentOf(view, call);
    // A call that was refused because calls come too fast shows nothing of the wait, and is sent again.
    if (call.kind !== 'beat' || !resident || isThrottled) return undefined;
    const wait = waitOf(resident, call, view);
    if (!isLongOver(wait, call)) return undefined;
    const before = callsAfterTheEnd.get(wait.key) ?? { calls: 0, at: wait.endedAt };
    // An environment that takes the place of a killed one remembers nothing.
    const isForgotten = view.lastKilledAt !== undefined && view.lastKilledAt >= before.at;
    const calls = (isForgotten ? 0 : before.calls) + 1;
    callsAfterTheEnd.set(wait.key, { calls, at: call.at });
    const interval = heartbeatIntervalSeconds(Math.min(...wait.timeouts, 3600));
    const confirming = resident.lifecycleState === undefined ? Math.ceil(confirmedSeconds / interval) : 0;
    // Auto Scaling may not have been able to say so.
    if (calls <= mostCallsAfterTheEnd + confirming || view.spellsSince(wait.endedAt).some(isOfAws))
      return undefined;
    // Nor while AWS denies the heartbeats of a group without the tag of the cluster.
    if (hasLostTags(view, resident.autoScalingGroupName, wait.endedAt)) return undefined;
    return `a heartbeat for ${call.instanceId}, whose wait ended at ${time(wait.endedAt)}`;
  },
};

type Wait = ReturnType<typeof waitOf>;

const isLongOver = (wait: Wait, call: Call): wait is Wait & { readonly endedAt: number } =>
  wait.endedAt !== undefined && call.at - wait.endedAt > rememberedMilliseconds;

/** The wait that a heartbeat is for: on the launch hook or on that of termination. */
function waitOf(resident: Resident, call: Call, view: View) {
  const { autoScalingGroupName, join, waitingSince, waitEndedAt } = resident;
  if (isOfJoin(call))
    return {
      key: join ?? resident,
      since: join?.since,
      endedAt: join?.endedAt,
      timeouts: [launchTimeoutSeconds(view, autoScalingGroupName)],
    };
  const timeouts = heartbeatTimeouts(view, autoScalingGroupName);
  return { key: resident, since: waitingSince, endedAt: waitEndedAt, timeouts };
}

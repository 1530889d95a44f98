import { messageOf } from '../base/message-of.ts';
import { ThrottledError } from '../groups/auto-scaling.ts';
import type { LifecycleAction, LifecycleHook } from '../groups/group.ts';
import {
  heartbeatIntervalSeconds,
  longestGlobalTimeoutSeconds,
  shortestHeartbeatTimeoutSeconds,
} from '../groups/hook-timing.ts';
import { judgeMissing } from '../groups/missing-instance.ts';
import { done, type Facts, type Outcome } from '../passes/outcome.ts';
import { type HeartbeatContext, type HeartbeatSubject, noticeOf } from './context.ts';
import type { HeartbeatNotice } from './message.ts';
import {
  deferralSeconds,
  firstHeartbeatAt,
  heldElsewhereSeconds,
  ignoresPace,
  isAtRisk,
  retrySeconds,
  settlingSeconds,
} from './wait.ts';
import { describe, whyEnded, whyOver } from './why-over.ts';

/** Auto Scaling may not know a wait yet, or may describe it late, for this long after its event. */
const settlingMilliseconds = 60_000;

interface Wait {
  readonly key: string;
  readonly action: LifecycleAction;
  readonly transition: LifecycleHook['transition'];
  /** With the shortest timeout that the hook has had during the wait. */
  readonly notice: HeartbeatNotice;
  readonly noticedAt: number;
  /** When the timeout of the wait began, in epoch milliseconds. */
  readonly restartedAt: number;
  readonly heartbeatTimeoutSeconds: number;
}

/**
 * One pass over one wait: it sends the heartbeat that is due, and returns when the next one is. The visibility of the message is the only
 * timer, so a pass that is killed at any line sends its heartbeat again when the message returns. The wait is over only if Auto Scaling
 * refuses the heartbeat because nothing waits and a description that is read afterwards agrees; or if the instance is past the wait.
 *
 * @throws nothing of AWS: a refused call is an outcome.
 */
export async function heartbeatPass(context: HeartbeatContext, subject: HeartbeatSubject): Promise<Outcome> {
  const now = context.clock.now();
  const { heartbeatTimeoutSeconds } = noticeOf(subject);
  const early = heartbeatTimeoutSeconds && untilDue(context, subject, heartbeatTimeoutSeconds);
  if (early) return early;
  const end = await whyOver(context, subject);
  if (end) return done(end);
  const wait = await readWait(context, subject);
  if (now >= wait.noticedAt + longestGlobalTimeoutSeconds * 1000)
    return done('48 hours have passed: no heartbeat extends the wait any longer');
  const wakeUp = untilDue(context, subject, wait.heartbeatTimeoutSeconds);
  if (wakeUp) return wakeUp;
  const left = timeLeft(wait, now);
  const slotSeconds = ignoresPace(left) ? 0 : context.pace.take(now, { isUrgent: isAtRisk(left) });
  if (slotSeconds > 0)
    return again(
      deferralSeconds({ ...left, slotSeconds, chance: context.chance() }),
      'heartbeats are slower, because AWS refuses calls',
    );
  return await sendHeartbeat(context, wait, left);
}

/**
 * Hides a message whose heartbeat is not due yet. If the notice has the timeout of the hook, nothing is read for that, and most leaves end
 * before it returns. A message that returns has been hidden for as long as was chosen at random, so its first heartbeat is due.
 */
function untilDue(
  { chance, clock }: HeartbeatContext,
  subject: HeartbeatSubject,
  heartbeatTimeoutSeconds: number,
): Outcome | undefined {
  const { noticedAt, restartedAt } = noticeOf(subject);
  if (restartedAt === undefined && subject.redelivered) return undefined;
  const dueAt =
    restartedAt === undefined
      ? firstHeartbeatAt({ noticedAt: Date.parse(noticedAt), heartbeatTimeoutSeconds, chance: chance() })
      : Date.parse(restartedAt) + heartbeatIntervalSeconds(heartbeatTimeoutSeconds) * 1000;
  const now = clock.now();
  if (now >= dueAt) return undefined;
  const which = restartedAt === undefined ? 'first' : 'next';
  // The clock of the sender may be ahead.
  const seconds = Math.min((dueAt - now) / 1000, heartbeatIntervalSeconds(heartbeatTimeoutSeconds));
  return again(seconds, `the ${which} heartbeat is not due yet`);
}

const again = (afterSeconds: number, reason: string, facts?: Facts): Outcome => ({
  status: 'again',
  afterSeconds,
  reason,
  ...(facts && { facts }),
});

/**
 * The wait of the notices, timed by the shortest timeout that its hook has had in this wait: AWS does not document which timeout applies
 * after a change. A hook that cannot be read is timed as it was known last, or by the shortest timeout that AWS allows. A global timeout does
 * not end the heartbeats, because it may follow from a longer timeout before: Auto Scaling says when nothing waits.
 */
async function readWait(
  { autoScaling, memory, reportError }: HeartbeatContext,
  subject: HeartbeatSubject,
): Promise<Wait> {
  const { id } = subject;
  const notice = noticeOf(subject);
  const { instanceId, transition, noticedAt, restartedAt } = notice;
  const { autoScalingGroupName, lifecycleHookName } = notice.hook;
  const name = `${autoScalingGroupName}/${lifecycleHookName}`;
  try {
    const hooks = await autoScaling.describeHooks(autoScalingGroupName);
    const found = hooks.find((hook) => hook.lifecycleHookName === lifecycleHookName);
    if (found) memory.rememberTimeout(name, found.heartbeatTimeoutSeconds);
  } catch (error) {
    reportError(`the hooks of ${autoScalingGroupName} could not be read`, error);
  }
  const timeouts = [memory.timeout(name), notice.heartbeatTimeoutSeconds].flatMap((known) => known ?? []);
  const heartbeatTimeoutSeconds =
    timeouts.length > 0 ? Math.min(...timeouts) : shortestHeartbeatTimeoutSeconds;
  return {
    key: id,
    // A timeout that is only assumed must not outlive the time in which the hook cannot be read.
    notice: timeouts.length > 0 ? { ...notice, heartbeatTimeoutSeconds } : notice,
    // By instance: a token may be older than the current wait.
    action: { autoScalingGroupName, lifecycleHookName, instanceId },
    transition,
    noticedAt: Date.parse(noticedAt),
    restartedAt: Date.parse(restartedAt ?? noticedAt),
    heartbeatTimeoutSeconds,
  };
}

interface Left {
  readonly secondsLeft: number;
  readonly heartbeatTimeoutSeconds: number;
}

/** How long the wait lasts without a heartbeat. A clock that was set back makes no wait longer than its timeout. */
const timeLeft = ({ restartedAt, heartbeatTimeoutSeconds }: Wait, now: number): Left => ({
  heartbeatTimeoutSeconds,
  secondsLeft: heartbeatTimeoutSeconds - Math.max(0, now - restartedAt) / 1000,
});

async function sendHeartbeat(context: HeartbeatContext, wait: Wait, left: Left): Promise<Outcome> {
  const { autoScaling, clock, pace } = context;
  const sentAt = clock.now();
  try {
    const answer = await autoScaling.recordHeartbeat(wait.action);
    pace.accepted();
    if (answer === 'not-active') return await judgeInactive(context, wait, left);
    return await afterRestart(context, wait, sentAt);
  } catch (error) {
    if (error instanceof ThrottledError) pace.refused(clock.now());
    return await afterRefusal(context, wait, { left, error });
  }
}

/**
 * Replaces the message by one with the time of the restart, so that the next pass knows how much of the timeout is left, whichever
 * environment runs it. If that fails, or the pass is killed before, the next pass takes the wait for older than it is.
 */
async function afterRestart(
  { replaceMessage, reportError }: HeartbeatContext,
  { notice, heartbeatTimeoutSeconds }: Wait,
  sentAt: number,
): Promise<Outcome> {
  const facts = { heartbeats: 1 };
  const restartedAt = new Date(sentAt).toISOString();
  try {
    await replaceMessage({ ...notice, restartedAt });
    return { ...done('the heartbeat was sent, and a new message has its time'), facts };
  } catch (error) {
    reportError(`the message with the heartbeat of ${notice.instanceId} could not be sent`, error);
    return again(heartbeatIntervalSeconds(heartbeatTimeoutSeconds), 'the heartbeat was sent', facts);
  }
}

/**
 * AWS denies calls about a group that has lost the tag of the cluster. The heartbeats end with the timeout, because an operator may restore the
 * tag in time.
 */
async function afterRefusal(
  { autoScaling, chance, reportError }: HeartbeatContext,
  { action: { autoScalingGroupName, instanceId } }: Wait,
  { left, error }: { readonly left: Left; readonly error: unknown },
): Promise<Outcome> {
  reportError(`the heartbeat for ${instanceId} was refused`, error);
  const isManaged = async (): Promise<boolean> =>
    await autoScaling
      .describeGroup(autoScalingGroupName)
      .then((group) => group !== undefined)
      .catch((cause: unknown) => {
        reportError(`the group ${autoScalingGroupName} could not be read`, cause);
        return true;
      });
  if (left.secondsLeft <= 0 && !(await isManaged()))
    return done(
      `its group ${autoScalingGroupName} has no tag of this cluster, and the heartbeat was refused: ${messageOf(error)}`,
    );
  return again(
    retrySeconds({ ...left, chance: chance() }),
    `the heartbeat was refused, and the wait ends in ${Math.round(left.secondsLeft)} s without one: ${messageOf(error)}`,
    { heartbeatsRefused: 1, ...(isAtRisk(left) && { waitsAtRisk: 1 }) },
  );
}

/**
 * Auto Scaling has answered that nothing waits. It answers so too soon after the event, and for an instance that another hook holds.
 * So a description that is read afterwards has to agree, and one that shows a wait leads to a second heartbeat at once, if there is time left.
 */
async function judgeInactive(context: HeartbeatContext, wait: Wait, left: Left): Promise<Outcome> {
  const { clock, memory } = context;
  const { instanceId } = wait.action;
  const now = clock.now();
  const described = await describe(context, { instanceId, transition: wait.transition }, now);
  const interval = heartbeatIntervalSeconds(wait.heartbeatTimeoutSeconds);
  const isNew = now - wait.noticedAt < settlingMilliseconds;
  if (isNew && described.state !== 'past')
    return again(settlingSeconds, 'Auto Scaling does not know the wait yet');
  switch (described.state) {
    case 'waits': {
      // Past its timeout the wait has ended, or its hook has a longer one: the heartbeat of the next interval is early enough.
      const answer = left.secondsLeft > 0 ? await sendAgain(context, wait) : 'not-active';
      if (answer === 'recorded') return await afterRestart(context, wait, now);
      return again(
        heldElsewhereSeconds(left),
        'the instance waits, but not on this hook: another hook may hold it',
      );
    }
    case 'past':
    case 'elsewhere':
      return done(`the wait is over: the instance is ${described.lifecycleState}`);
    case 'missing': {
      const ended = await whyEnded(context, instanceId);
      if (ended) return done(ended);
      const verdict = judgeMissing({ now, missingSince: memory.missingSince(wait.key) });
      if (verdict.kind === 'gone')
        return done('the wait is over: Auto Scaling has not known the instance for minutes');
      if (verdict.kind === 'new') memory.rememberMissing(wait.key, now);
      return again(
        Math.min(interval, verdict.secondsLeft),
        'Auto Scaling knows neither the instance nor the wait',
      );
    }
    case 'unknown':
      return again(
        retrySeconds({ ...left, chance: context.chance() }),
        'nothing waits on the hook, and the instance could not be described to confirm it',
      );
  }
}

const sendAgain = async ({ autoScaling, reportError }: HeartbeatContext, { action }: Wait) =>
  await autoScaling.recordHeartbeat(action).catch((error: unknown) => {
    reportError(`the heartbeat for ${action.instanceId} was refused`, error);
    return 'refused' as const;
  });

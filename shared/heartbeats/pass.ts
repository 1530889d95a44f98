import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/message-of.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { Ec2 } from '../groups/ec2.ts';
import type { GroupInstance, LifecycleAction, LifecycleHook } from '../groups/group.ts';
import {
  globalTimeoutSecondsOf,
  heartbeatIntervalSeconds,
  shortestHeartbeatTimeoutSeconds,
} from '../groups/hook-timing.ts';
import { judgeMissing } from '../groups/missing-instance.ts';
import { done, type Facts, type Outcome } from '../passes/outcome.ts';
import type { HeartbeatMemory } from './memory.ts';
import type { HeartbeatNotice } from './message.ts';
import type { Pace } from './pace.ts';
import {
  deferralSeconds,
  firstHeartbeatAt,
  ignoresPace,
  isAtRisk,
  retrySeconds,
  type WaitState,
  waitStateOf,
} from './wait.ts';

export interface HeartbeatContext {
  readonly autoScaling: Pick<
    AutoScaling,
    'describeInstance' | 'describeGroup' | 'describeHooks' | 'recordHeartbeat'
  >;
  readonly ec2: Ec2;
  readonly clock: Clock;
  /** A random number from 0 to 1. */
  readonly chance: () => number;
  readonly pace: Pace;
  readonly memory: HeartbeatMemory;
  /** Logs an error that does not end the pass. */
  readonly reportError: (message: string, error: unknown) => void;
}

interface HeartbeatSubject {
  readonly id: string;
  readonly notices: readonly HeartbeatNotice[];
  readonly redelivered: boolean;
}

/** Auto Scaling may not know a wait yet, or may describe it late, for this long after its event. */
const settlingMilliseconds = 60_000;
const settlingSeconds = 5;

interface Wait {
  readonly key: string;
  readonly action: LifecycleAction;
  readonly transition: LifecycleHook['transition'];
  readonly noticedAt: number;
  readonly heartbeatTimeoutSeconds: number;
  readonly globalTimeoutSeconds: number;
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
  const early = whyEarly(context, subject, now);
  if (early) return early;
  const end = await whyOver(context, subject);
  if (end) return done(end);
  const wait = await readWait(context, subject);
  if (now >= wait.noticedAt + wait.globalTimeoutSeconds * 1000)
    return done('its global timeout has passed: no heartbeat extends the wait any longer');
  if (!subject.redelivered) {
    const first = firstHeartbeatAt({ ...wait, chance: context.chance() });
    if (now < first) return again((first - now) / 1000, 'the first heartbeat is not due yet');
  }
  const left = timeLeft(context, wait, subject.redelivered);
  const slotIn = ignoresPace(left) ? 0 : context.pace.take(now, { isUrgent: isAtRisk(left) });
  if (slotIn > 0)
    return again(
      Math.max(slotIn, deferralSeconds({ ...left, chance: context.chance() })),
      'heartbeats are slower, because AWS refuses calls',
    );
  return await sendHeartbeat(context, wait, left);
}

/** The notices of a subject are about one wait, and only the earliest is not absorbed. */
function noticeOf({ notices: [notice] }: HeartbeatSubject): HeartbeatNotice {
  if (!notice) throw new TypeError('a pass has at least one notice');
  return notice;
}

/** Hides the message of a new wait without a read if the notice has the timeout of the hook; most leaves end before it returns. */
function whyEarly({ chance }: HeartbeatContext, subject: HeartbeatSubject, now: number): Outcome | undefined {
  const { heartbeatTimeoutSeconds, ...notice } = noticeOf(subject);
  if (subject.redelivered || !heartbeatTimeoutSeconds) return undefined;
  const noticedAt = Date.parse(notice.noticedAt);
  const first = firstHeartbeatAt({ noticedAt, heartbeatTimeoutSeconds, chance: chance() });
  return now < first ? again((first - now) / 1000, 'the first heartbeat is not due yet') : undefined;
}

const again = (afterSeconds: number, reason: string, facts?: Facts): Outcome => ({
  status: 'again',
  afterSeconds,
  reason,
  ...(facts && { facts }),
});

/**
 * The wait of the notices, timed by the shortest timeout that its hook has had in this wait: AWS does not document which timeout applies
 * after a change. A hook that cannot be read is timed as it was known last, or by the shortest timeout that AWS allows.
 */
async function readWait(
  { autoScaling, memory, reportError }: HeartbeatContext,
  subject: HeartbeatSubject,
): Promise<Wait> {
  const { id } = subject;
  const notice = noticeOf(subject);
  const { instanceId, transition, noticedAt } = notice;
  const { autoScalingGroupName, lifecycleHookName } = notice.hook;
  const name = `${autoScalingGroupName}/${lifecycleHookName}`;
  try {
    const hooks = await autoScaling.describeHooks(autoScalingGroupName);
    const found = hooks.find((hook) => hook.lifecycleHookName === lifecycleHookName);
    if (found) memory.rememberTimeouts(name, found);
  } catch (error) {
    reportError(`the hooks of ${autoScalingGroupName} could not be read`, error);
  }
  const known = memory.timeouts(name) ?? {
    heartbeatTimeoutSeconds: shortestHeartbeatTimeoutSeconds,
    globalTimeoutSeconds: globalTimeoutSecondsOf(Infinity),
  };
  const heartbeatTimeoutSeconds = Math.min(
    known.heartbeatTimeoutSeconds,
    notice.heartbeatTimeoutSeconds ?? Infinity,
    memory.shortestTimeout(id) ?? Infinity,
  );
  if (memory.timeouts(name)) memory.rememberTimeout(id, heartbeatTimeoutSeconds);
  return {
    key: id,
    // By instance: a token may be older than the current wait.
    action: { autoScalingGroupName, lifecycleHookName, instanceId },
    transition,
    noticedAt: Date.parse(noticedAt),
    heartbeatTimeoutSeconds,
    // Without an answer about the hook the timeout is only assumed, and must not end the heartbeats.
    globalTimeoutSeconds: memory.timeouts(name)
      ? globalTimeoutSecondsOf(heartbeatTimeoutSeconds)
      : known.globalTimeoutSeconds,
  };
}

/**
 * Why the wait is over although no heartbeat was refused: EC2 has ended the instance, and Auto Scaling shows no wait. EC2 is read first,
 * because it accepts more calls, and most messages come back after the end of their instance. Undefined if it may still wait.
 */
async function whyOver(context: HeartbeatContext, subject: HeartbeatSubject): Promise<string | undefined> {
  const { instanceId, transition } = noticeOf(subject);
  const ended = await whyEnded(context, instanceId);
  if (!ended) return undefined;
  const { state } = await describe(context, { instanceId, transition }, context.clock.now());
  return state === 'past' || state === 'missing' ? ended : undefined;
}

/** What Auto Scaling describes; `unknown` if it cannot be read. */
async function describe(
  { autoScaling, reportError }: HeartbeatContext,
  { instanceId, transition }: Pick<HeartbeatNotice, 'instanceId' | 'transition'>,
  notBefore: number,
): Promise<{ readonly state: WaitState | 'unknown'; readonly lifecycleState?: string }> {
  let instance: GroupInstance | undefined;
  try {
    instance = await autoScaling.describeInstance(instanceId, notBefore);
  } catch (error) {
    reportError(`${instanceId} could not be described`, error);
    return { state: 'unknown' };
  }
  const state = waitStateOf(instance, transition);
  return { state, ...(instance && { lifecycleState: instance.lifecycleState }) };
}

/** Positive evidence of EC2 that an instance has ended. */
async function whyEnded(
  { ec2, reportError }: HeartbeatContext,
  instanceId: string,
): Promise<string | undefined> {
  try {
    const instance = await ec2.describeInstance(instanceId);
    const hasEnded = instance?.state === 'terminated' || instance?.state === 'shutting-down';
    return hasEnded ? `the wait is over: EC2 reports the instance as ${instance.state}` : undefined;
  } catch (error) {
    reportError(`${instanceId} could not be read from EC2`, error);
    return undefined;
  }
}

interface Left {
  readonly secondsLeft: number;
  readonly heartbeatTimeoutSeconds: number;
}

/**
 * How long the wait lasts without a heartbeat. Only the environment that sent the last one knows. Any other assumes that half of the
 * timeout has passed: the message came back after a third, and the other environment may have deferred it since.
 */
function timeLeft(
  { clock, memory }: HeartbeatContext,
  { key, noticedAt, heartbeatTimeoutSeconds }: Wait,
  redelivered: boolean,
): Left {
  const now = clock.now();
  const assumed = redelivered ? now - heartbeatTimeoutSeconds * 500 : noticedAt;
  const restartedAt = memory.restartedAt(key) ?? assumed;
  memory.rememberRestart(key, restartedAt);
  return { heartbeatTimeoutSeconds, secondsLeft: heartbeatTimeoutSeconds - (now - restartedAt) / 1000 };
}

async function sendHeartbeat(context: HeartbeatContext, wait: Wait, left: Left): Promise<Outcome> {
  const { autoScaling, clock, memory, pace } = context;
  const sentAt = clock.now();
  try {
    const answer = await autoScaling.recordHeartbeat(wait.action);
    pace.accepted();
    if (answer === 'not-active') return await judgeInactive(context, wait, left);
    memory.rememberRestart(wait.key, sentAt);
    return again(heartbeatIntervalSeconds(wait.heartbeatTimeoutSeconds), 'the heartbeat was sent', {
      heartbeats: 1,
    });
  } catch (error) {
    pace.refused();
    return await afterRefusal(context, wait, { left, error });
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
  const isManaged = await autoScaling
    .describeGroup(autoScalingGroupName)
    .then((group) => group !== undefined)
    .catch((cause: unknown) => {
      reportError(`the group ${autoScalingGroupName} could not be read`, cause);
      return true;
    });
  if (!isManaged && left.secondsLeft <= 0)
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
 * So a description that is read afterwards has to agree, and one that shows a wait leads to a second heartbeat at once.
 */
async function judgeInactive(context: HeartbeatContext, wait: Wait, left: Left): Promise<Outcome> {
  const { autoScaling, clock, memory } = context;
  const { instanceId } = wait.action;
  const now = clock.now();
  const described = await describe(context, { instanceId, transition: wait.transition }, now);
  const interval = heartbeatIntervalSeconds(wait.heartbeatTimeoutSeconds);
  const isNew = now - wait.noticedAt < settlingMilliseconds;
  if (isNew && described.state !== 'past')
    return again(settlingSeconds, 'Auto Scaling does not know the wait yet');
  switch (described.state) {
    case 'waits': {
      const answer = await autoScaling.recordHeartbeat(wait.action).catch((error: unknown) => {
        context.reportError(`the heartbeat for ${instanceId} was refused`, error);
        return 'refused' as const;
      });
      if (answer !== 'recorded')
        return again(
          Math.min(interval, Math.max(settlingSeconds, left.secondsLeft / 2)),
          'the instance waits, but not on this hook: another hook may hold it',
        );
      memory.rememberRestart(wait.key, now);
      return again(interval, 'the heartbeat was sent', { heartbeats: 1 });
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
      return again(interval, 'Auto Scaling knows neither the instance nor the wait');
    }
    case 'unknown':
      return again(
        retrySeconds({ ...left, chance: context.chance() }),
        'nothing waits on the hook, and the instance could not be described to confirm it',
      );
  }
}

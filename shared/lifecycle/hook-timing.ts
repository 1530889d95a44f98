import type { LifecycleHook } from './group.ts';

/** Epoch milliseconds by which a leaving instance must be ready. */
export interface LeavingDeadlines {
  /** The operator's: from here on what is left is deleted. Never later than `limit`. */
  readonly deadline: number;
  /** The world's: the hook's global timeout or the notice ends the wait here, less a margin. Infinity where nothing does. */
  readonly limit: number;
}

/** Left between our last act and the world's, so that the hook is completed by us and not by its timeout. */
const hookMarginSeconds = 30;
/** Of the two minutes of a spot warning: for the last pass and the calls that follow it. */
const noticeMarginSeconds = 10;

/**
 * deadline = the smallest of the operator's drain timeout, the hook's global timeout and the notice.
 * The global timeout is 48 hours or 100 heartbeat timeouts, whichever is less, whatever the heartbeats, from the moment at
 * which the instance began to wait (EC2 Auto Scaling user guide, "How lifecycle hooks work"): that may be long after a notice
 * that made the drain begin.
 */
export function leavingDeadlines(input: {
  /** The first reason to leave. */
  readonly since: number;
  readonly drainTimeoutSeconds: number;
  /** The wait on our hook, and since when it lasts. */
  readonly wait?: Pick<LifecycleHook, 'globalTimeoutSeconds'> & { readonly since: number };
  readonly noticeDeadline?: number;
}): LeavingDeadlines {
  const hookLimit = input.wait
    ? input.wait.since + Math.max(1, input.wait.globalTimeoutSeconds - hookMarginSeconds) * 1000
    : Infinity;
  const noticeLimit =
    input.noticeDeadline === undefined ? Infinity : input.noticeDeadline - noticeMarginSeconds * 1000;
  const limit = Math.min(hookLimit, noticeLimit);
  return { limit, deadline: Math.min(limit, input.since + input.drainTimeoutSeconds * 1000) };
}

/** A heartbeat is also the sign on the Node that somebody works on it, so it comes this often however long the timeout. */
const longestBetweenBeatsSeconds = 900;

/**
 * A heartbeat restarts the wait's timer, so one is due when a third of the timeout has passed since the last one (or
 * since the wait began); two may then fail before the wait is lost. Past the global timeout none helps.
 */
export function heartbeatIsDue(input: {
  readonly now: number;
  readonly lastBeatAt: number;
  readonly limit: number;
  readonly heartbeatTimeoutSeconds: number;
}): boolean {
  return input.now < input.limit && input.now >= nextHeartbeatAt(input);
}

/** Passes come at least this often while they are not stopped, so that none of the moments below goes by unseen. */
const passesEverySeconds = 30;

/**
 * For a pass that cannot know when the last heartbeat was sent: true for those that come just after a multiple of the
 * interval since the wait began.
 */
export function heartbeatFallsDue(input: {
  readonly now: number;
  readonly since: number;
  readonly limit: number;
  readonly heartbeatTimeoutSeconds: number;
}): boolean {
  const interval = intervalMilliseconds(input);
  const elapsed = input.now - input.since;
  const isPastMultiple = elapsed >= interval && elapsed % interval < passesEverySeconds * 1000;
  return input.now < input.limit && isPastMultiple;
}

/** When passes that have but the clock to go by have last beaten, up to a moment: the multiple of the interval before it. */
export function lastBeatByClock(input: {
  readonly since: number;
  readonly until: number;
  readonly heartbeatTimeoutSeconds: number;
}): number {
  const interval = intervalMilliseconds(input);
  return input.since + Math.max(0, Math.floor((input.until - input.since) / interval)) * interval;
}

/** A pass comes so much later than it meant to, at the most where nothing is wrong. */
const latenessSeconds = 5;

/**
 * How long such a pass waits, `seconds` at most, so that one pass beats at each multiple and not two: where the next could come
 * so soon after a multiple that the one after it fell due as well, it comes before the multiple instead.
 */
export function waitBesideBeats(input: {
  readonly now: number;
  readonly since: number;
  readonly heartbeatTimeoutSeconds: number;
  readonly seconds: number;
}): number {
  const interval = intervalMilliseconds(input) / 1000;
  if (interval <= passesEverySeconds) return input.seconds;
  const comesAt = (input.now - input.since) / 1000 + input.seconds + latenessSeconds;
  const tooLate = comesAt % interval;
  const beatsTwice = comesAt >= interval && tooLate < latenessSeconds + passesEverySeconds - input.seconds;
  return beatsTwice ? Math.max(1, input.seconds - tooLate) : input.seconds;
}

/** What ordinary passes leave between them: of a timeout of a minute or more three fit. */
const ordinarySeconds = 20;

/**
 * How long any pass waits, `seconds` at most: with the shortest timeouts (30 seconds are the least that AWS takes) the next one
 * comes when its heartbeat is due, counted from the last one, for what a pass did after that has taken its time too.
 */
export function waitForNextBeat(input: {
  readonly now: number;
  readonly lastBeatAt: number;
  readonly heartbeatTimeoutSeconds: number;
  readonly seconds: number;
}): number {
  if (intervalMilliseconds(input) >= ordinarySeconds * 1000) return input.seconds;
  return Math.min(input.seconds, Math.max(1, Math.floor((nextHeartbeatAt(input) - input.now) / 1000)));
}

/** When the next heartbeat is due, in epoch milliseconds. */
export function nextHeartbeatAt(input: {
  readonly lastBeatAt: number;
  readonly heartbeatTimeoutSeconds: number;
}): number {
  return input.lastBeatAt + intervalMilliseconds(input);
}

const intervalMilliseconds = (input: { readonly heartbeatTimeoutSeconds: number }): number =>
  Math.min(longestBetweenBeatsSeconds, input.heartbeatTimeoutSeconds / 3) * 1000;

import type { GroupInstance, LifecycleHook } from '../groups/group.ts';
import { heartbeatIntervalSeconds } from '../groups/hook-timing.ts';
import {
  isPastTerminatingWait,
  isPendingWait,
  isWarmedPendingWait,
  waitsToLeave,
} from '../groups/lifecycle-state.ts';

/**
 * What a description of Auto Scaling shows about a wait:
 * - `waits`: the instance waits on hooks of this transition;
 * - `past`: it is past the wait for good, however old the description is;
 * - `elsewhere`: it is in another state. An older description shows such a state too, so it proves nothing by itself;
 * - `missing`: Auto Scaling does not know the instance. That proves nothing by itself either.
 */
export type WaitState = 'waits' | 'past' | 'elsewhere' | 'missing';

export function waitStateOf(
  instance: GroupInstance | undefined,
  transition: LifecycleHook['transition'],
): WaitState {
  if (!instance) return 'missing';
  const waits =
    transition === 'terminating'
      ? waitsToLeave(instance)
      : isPendingWait(instance) || isWarmedPendingWait(instance);
  if (waits) return 'waits';
  return isPastTerminatingWait(instance) ? 'past' : 'elsewhere';
}

/**
 * When the first heartbeat is due, in epoch milliseconds: after half of the interval to the whole of it, at random (`chance` is from 0 to
 * 1). Otherwise hundreds of waits that begin together would need their heartbeats in the same second.
 */
export const firstHeartbeatAt = (wait: {
  readonly noticedAt: number;
  readonly heartbeatTimeoutSeconds: number;
  readonly chance: number;
}): number =>
  wait.noticedAt + heartbeatIntervalSeconds(wait.heartbeatTimeoutSeconds) * (0.5 + wait.chance / 2) * 1000;

interface TimeLeft {
  /** Until the timeout of the hook ends the wait. Negative if it may have ended. */
  readonly secondsLeft: number;
  readonly heartbeatTimeoutSeconds: number;
}

/** Whether the wait may be lost soon: less than a third of its timeout is left. */
export const isAtRisk = ({ secondsLeft, heartbeatTimeoutSeconds }: TimeLeft): boolean =>
  secondsLeft < heartbeatTimeoutSeconds / 3;

/** Several tries fit into it, although half of them may be refused. With the shortest timeout it begins with the first heartbeat that is due. */
const lastTriesSeconds = 20;

/**
 * Whether the heartbeat is sent at any pace, because only the time for the last tries is left. A wait that is long past its timeout has
 * probably ended, and its heartbeats must not take the calls of others: hundreds would repeat them every other second.
 */
export const ignoresPace = ({ secondsLeft }: Pick<TimeLeft, 'secondsLeft'>): boolean =>
  Math.abs(secondsLeft) < lastTriesSeconds;

/** The longest part of the pause after a refused heartbeat that is random, and the shortest. */
const longestRetrySeconds = 20;
const shortestRetrySeconds = 2;

/**
 * How long a wait makes way for others while heartbeats are sent more slowly than they are due: until there may be a slot. A wait at risk
 * comes again within a sixth of its time. Any other comes again at random within the half of its time until it is at risk, and no later than
 * that. So the slots go to the waits that end soonest, although no environment knows them all. A wait long past its timeout comes again at
 * random within 20 seconds.
 */
export const deferralSeconds = (
  wait: TimeLeft & { readonly chance: number; readonly slotSeconds: number },
): number => {
  const { secondsLeft, heartbeatTimeoutSeconds, chance, slotSeconds } = wait;
  if (secondsLeft <= -lastTriesSeconds) return Math.max(slotSeconds, chance * longestRetrySeconds);
  if (isAtRisk(wait))
    return Math.max(slotSeconds, (chance * Math.max(0, secondsLeft - lastTriesSeconds)) / 6);
  const untilRisk = secondsLeft - heartbeatTimeoutSeconds / 3;
  const untilLastTries = secondsLeft - lastTriesSeconds;
  return Math.min(untilRisk, untilLastTries, Math.max(slotSeconds, (chance * untilRisk) / 2));
};

/** With so little left, a refused heartbeat is sent again each second. */
const lastSeconds = 10;

/**
 * How long a refused heartbeat waits: one second, and at random up to an eighth of the time that is left. Refused together, they do not
 * return together, and a wait that ends soon is tried more often. In its last ten seconds it is tried each second. Past its timeout it is
 * tried more rarely the longer that is ago.
 */
export const retrySeconds = ({
  secondsLeft,
  chance,
}: Pick<TimeLeft, 'secondsLeft'> & { readonly chance: number }): number => {
  if (secondsLeft > 0 && secondsLeft < lastSeconds) return 1;
  return (
    1 + chance * Math.min(longestRetrySeconds, Math.max(shortestRetrySeconds, Math.abs(secondsLeft) / 8))
  );
};

/** Auto Scaling may describe a wait, or know it, so late. */
export const settlingSeconds = 5;

/**
 * When a wait is tried again that Auto Scaling does not know on its hook, although it describes the instance as waiting: in half of the time
 * that is left. Past its timeout it is probably another hook that holds the instance, perhaps for hours, and the calls of many such waits
 * would slow those that may still be lost. Then the interval of heartbeats is enough. It is no longer than that, because a message that is
 * hidden holds back the next wait of the same instance on the hook.
 */
export function heldElsewhereSeconds({ secondsLeft, heartbeatTimeoutSeconds }: TimeLeft): number {
  const interval = heartbeatIntervalSeconds(heartbeatTimeoutSeconds);
  return secondsLeft > 0 ? Math.min(interval, Math.max(settlingSeconds, secondsLeft / 2)) : interval;
}

import { longestWaitSeconds, type Outcome } from '../outcome.ts';

/** How long the messages of a subject stay hidden after this outcome: whole seconds, at least one. */
export const waitSeconds = ({ afterSeconds }: Extract<Outcome, { status: 'again' }>): number =>
  Number.isNaN(afterSeconds) ? 1 : Math.min(longestWaitSeconds, Math.max(1, Math.ceil(afterSeconds)));

/** How long a message stays hidden that only a newer version can read. */
export const newerSeconds = longestWaitSeconds;

/** Nothing waits behind an event in the inbox; its receives, a thousand at most, have to last for an outage. */
export const longestInboxWaitSeconds = 60;

/**
 * After a failure: 2, 4, 8 ... up to the longest wait by how often the message has been received. The upper half is random, by
 * `chance` from 0 to 1, so that messages that failed together do not come back together.
 */
export function backoffSeconds(
  receiveCount: number,
  chance: number,
  longestSeconds = longestWaitSeconds,
): number {
  const ceiling = Math.min(longestSeconds, 2 ** Math.min(receiveCount, 10));
  return Math.max(1, Math.round(ceiling / 2 + (chance * ceiling) / 2));
}

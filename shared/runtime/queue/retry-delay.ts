import type { Outcome } from '../../lifecycle/outcome.ts';

/** While a message is hidden its group is closed, so a spot warning behind it waits as long: two minutes hold six of these. */
const secondsWhileShorterNoticePossible = 20;
const secondsOtherwise = 300;

/** How long the messages of a subject stay hidden after this outcome. Whole seconds, at least one. */
export function waitSeconds({
  afterSeconds,
  shorterNoticePossible = true,
}: Extract<Outcome, { status: 'again' }>): number {
  const longest = shorterNoticePossible ? secondsWhileShorterNoticePossible : secondsOtherwise;
  return Number.isNaN(afterSeconds) ? 1 : Math.min(longest, Math.max(1, Math.ceil(afterSeconds)));
}

/** For what this program cannot read but a newer one will: it must not close its group for long either. */
export const newerSeconds = secondsWhileShorterNoticePossible;

/**
 * After a failure: 2, 4, 8 ... up to 20 seconds by how often the message has been received, the upper half of it by chance
 * (0 to 1), so that what failed together does not come back together.
 */
export function backoffSeconds(receiveCount: number, chance: number): number {
  const ceiling = Math.min(secondsWhileShorterNoticePossible, 2 ** Math.min(receiveCount, 10));
  return Math.max(1, Math.round(ceiling / 2 + (chance * ceiling) / 2));
}

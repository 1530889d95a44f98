/** What a pass reports in its log line and its metrics, such as `{ podsEvicted: 3 }`. Never a secret. */
export type Facts = Readonly<Record<string, number | string | boolean | readonly string[]>>;

/**
 * The result of a pass. `done`: nothing is left to do for this subject. `again`: the pass must run again after that many seconds.
 * Both have a reason for the operator.
 */
export type Outcome =
  | { readonly status: 'done'; readonly reason: string; readonly facts?: Facts }
  | {
      readonly status: 'again';
      readonly afterSeconds: number;
      readonly reason: string;
      readonly facts?: Facts;
    };

/** A hidden message blocks its message group, so a spot warning waits behind it. Its two minutes hold six of these waits. */
export const longestWaitSeconds = 20;

export const done = (reason: string, facts?: Facts): Outcome => ({
  status: 'done',
  reason,
  ...(facts && { facts }),
});

/** Asks for a pass after this many seconds. If that is more than the longest wait, the reason explains why it runs earlier. */
export const again = (seconds: number, reason: string, facts?: Facts): Outcome => ({
  status: 'again',
  afterSeconds: Math.min(seconds, longestWaitSeconds),
  reason:
    seconds > longestWaitSeconds
      ? `${reason} (checked every ${longestWaitSeconds} s, so that no spot warning has to wait)`
      : reason,
  ...(facts && { facts }),
});

/** How long the messages of a subject stay hidden after this outcome: from one second to the longest wait, in whole seconds. */
export const waitSeconds = (
  { afterSeconds }: Extract<Outcome, { status: 'again' }>,
  longestSeconds = longestWaitSeconds,
): number =>
  Number.isNaN(afterSeconds) ? 1 : Math.min(longestSeconds, Math.max(1, Math.ceil(afterSeconds)));

/** An event in the inbox blocks no other message, and its thousand receives must last for an outage. */
export const longestInboxWaitSeconds = 60;

/**
 * The wait after a failure: 2, 4, 8 ... seconds up to the longest wait, by how often the message has been received. The upper half
 * is random (`chance` is from 0 to 1), so that messages that failed together do not return together.
 */
export function backoffSeconds(
  receiveCount: number,
  chance: number,
  longestSeconds = longestWaitSeconds,
): number {
  const ceiling = Math.min(longestSeconds, 2 ** Math.min(receiveCount, 10));
  return Math.max(1, Math.round(ceiling / 2 + (chance * ceiling) / 2));
}

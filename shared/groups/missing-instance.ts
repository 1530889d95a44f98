/** EC2 is eventually consistent: an instance counts as gone only if two passes, at least this long apart, did not find it. */
const goneAfterSeconds = 300;
/** The clocks of two environments of a function differ by less than this. */
const skewSeconds = 60;
/** An older finding is void: EC2 may have known the instance again in between. Passes come much more often than this. */
const voidAfterSeconds = 3 * goneAfterSeconds;

/**
 * What a pass concludes from an instance that it did not find:
 * - `new`: no earlier finding counts, so the caller records this one;
 * - `unconfirmed`: the recorded finding is not old enough yet;
 * - `gone`: the recorded finding is confirmed.
 */
export interface MissingVerdict {
  readonly kind: 'new' | 'unconfirmed' | 'gone';
  /** Until a pass that does not find the instance either can conclude that it is gone; 0 for `gone`. */
  readonly secondsLeft: number;
}

/**
 * Judges an instance that EC2 does not know. All times are epoch milliseconds; `missingSince` is the recorded finding, undefined if
 * there is none. A finding that is not a number counts as none.
 */
export function judgeMissing({
  now,
  missingSince = Number.NaN,
}: {
  readonly now: number;
  readonly missingSince: number | undefined;
}): MissingVerdict {
  const age = (now - missingSince) / 1000;
  if (!(age >= -skewSeconds && age <= voidAfterSeconds))
    return { kind: 'new', secondsLeft: goneAfterSeconds };
  if (age >= goneAfterSeconds) return { kind: 'gone', secondsLeft: 0 };
  return { kind: 'unconfirmed', secondsLeft: Math.ceil(goneAfterSeconds - age) };
}

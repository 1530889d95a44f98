/** Ten minutes, the least that the API server takes (TokenRequestSpec, expirationSeconds). */
export const shortestSeconds = 600;
export const defaultSeconds = 30 * 86_400;
/** A certificate of a year cannot be revoked either: what this command replaces. */
export const longestSeconds = 90 * 86_400;

interface Period {
  /** Epoch milliseconds; undefined if the credential does not say it. */
  readonly notBefore?: number;
  readonly notAfter?: number;
}

/** Whether a stored credential is in the last third of its time, over, or of a kind that says no time. Pure. */
export function isDue({ notBefore, notAfter }: Period, now: number): boolean {
  if (notBefore === undefined || notAfter === undefined) return true;
  return now >= notAfter - (notAfter - notBefore) / 3;
}

/** The API server may shorten what was asked for, without a word (--service-account-max-token-expiration). Pure. */
export const isShortened = (granted: number, asked: number): boolean => granted < asked - 60_000;

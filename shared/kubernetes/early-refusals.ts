import type { HttpResponse } from '../net/http.ts';
import { statusOf } from './status.ts';

/** As long as the informers of a small cluster take. */
export const refusalPauseMilliseconds = 2000;

/** A few for each function and namespace. More are a sign of a hostile server. */
const mostRefusals = 500;

/**
 * Distinguishes a missing right from the first seconds of an API server. Until its RBAC informers have synced, it answers every user with
 * 403, in the same words as for a missing right (kubernetes/kubernetes#121635; #101422 would have named it). So a refusal is asked about once
 * more before it counts. A right that was refused twice is remembered: one that is really missing costs one more request, and not one for each
 * object.
 */
export function createEarlyRefusals() {
  const known = new Set<string>();
  return {
    /** Whether the answer refuses a right that was not refused twice before. */
    isNew: (response: HttpResponse): boolean => {
      const right = refusedRight(response);
      return right !== undefined && !known.has(right);
    },
    /** Takes the second answer about it. */
    settle: (response: HttpResponse): void => {
      const right = refusedRight(response);
      if (right !== undefined && known.size < mostRefusals) known.add(right);
    },
    /** The API server was away, so it may have started again. */
    forget: (): void => known.clear(),
  };
}

/**
 * The right that the authorizer refuses, in its words, without the name of the object: `User "drover" cannot patch resource "nodes" in API
 * group ""`. Undefined for any other answer, such as a 403 of admission or of a budget.
 */
function refusedRight(response: HttpResponse): string | undefined {
  if (response.status !== 403) return undefined;
  return /User "[^"]*" cannot [^\n]{1,300}/.exec(statusOf(response).message)?.[0];
}

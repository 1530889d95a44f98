import { GroupsError, type GroupsErrorCode } from '../capacity/groups.ts';
import { type ProblemCode, ProblemError } from './problem.ts';

const codes: Readonly<Record<GroupsErrorCode, ProblemCode>> = {
  busy: 'group-busy',
  throttled: 'throttled',
  unavailable: 'unavailable',
  gone: 'group-not-found',
  invalid: 'capacity-out-of-bounds',
  denied: 'not-permitted',
};

const retryAfterSeconds: Readonly<Partial<Record<GroupsErrorCode, number>>> = {
  busy: 30,
  throttled: 5,
  unavailable: 5,
};

/** What a caller is told when a request failed: a problem as it stands, a refusal of Auto Scaling, or that it is our fault. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (!(error instanceof GroupsError))
    return new ProblemError({
      code: 'internal',
      detail: 'this request failed in a way that was not foreseen; the log of the function says more',
      cause: error,
    });
  const seconds = retryAfterSeconds[error.code];
  return new ProblemError({
    code: codes[error.code],
    detail: error.message,
    cause: error,
    ...(seconds && { headers: { 'retry-after': String(seconds) } }),
  });
}

import { GroupsError, type GroupsErrorCode } from '../capacity/groups.ts';
import { HoldParametersError } from '../capacity/holds/context.ts';
import { ScheduleStoreError } from '../capacity/schedules/store.ts';
import { type ProblemCode, ProblemError } from './problem.ts';

const codes: Readonly<Record<GroupsErrorCode, ProblemCode>> = {
  busy: 'group-busy',
  throttled: 'throttled',
  unavailable: 'unavailable',
  gone: 'group-not-found',
  invalid: 'capacity-out-of-bounds',
  'invalid-cursor': 'invalid-parameter',
  denied: 'not-permitted',
};

const retryAfterSeconds: Readonly<Partial<Record<GroupsErrorCode, number>>> = {
  busy: 30,
  throttled: 5,
  unavailable: 5,
};

/** The problem for a failed request: a ProblemError as it is, a refusal of Auto Scaling, or an internal error. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof ScheduleStoreError && error.code === 'invalid')
    return new ProblemError({ code: 'invalid-schedule', detail: error.message, cause: error });
  if (!isRefusal(error))
    return new ProblemError({
      code: 'internal',
      detail: 'this request failed unexpectedly; see the log of the function',
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

const isRefusal = (error: unknown): error is GroupsError | HoldParametersError | ScheduleStoreError =>
  error instanceof GroupsError || error instanceof HoldParametersError || error instanceof ScheduleStoreError;

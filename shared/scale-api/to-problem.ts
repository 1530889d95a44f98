import { GroupsError } from '../capacity/groups.ts';
import { HoldParametersError } from '../capacity/holds/context.ts';
import { ScheduleStoreError } from '../capacity/schedules/change-schedules.ts';
import { type ProblemCode, ProblemError } from './problem.ts';

type RefusalCode = Refusal['code'];

const codes: Readonly<Record<RefusalCode, ProblemCode>> = {
  busy: 'group-busy',
  throttled: 'throttled',
  unavailable: 'unavailable',
  gone: 'group-not-found',
  invalid: 'capacity-out-of-bounds',
  'invalid-cursor': 'invalid-parameter',
  denied: 'not-permitted',
  full: 'unavailable',
  'no-group': 'internal',
};

const retryAfterSeconds: Readonly<Partial<Record<RefusalCode, number>>> = {
  busy: 30,
  throttled: 5,
  unavailable: 5,
};

/** The problem for a failed request: a ProblemError as it is, a refusal of Auto Scaling, or an internal error. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (!isRefusal(error))
    return new ProblemError({
      code: 'internal',
      detail: 'this request failed unexpectedly; see the log of the function',
      cause: error,
    });
  return problemOf(error, error.message);
}

/** The error of a change. One that was not answered says that the change may have been made; a read that fails changes nothing. */
export function toErrorOfChange(error: unknown): unknown {
  if (!isRefusal(error) || error.code !== 'unavailable') return error;
  return problemOf(
    error,
    `${error.message}; the change may have been made or not, and can be asked for again without harm`,
  );
}

function problemOf(refusal: Refusal, detail: string): ProblemError {
  const seconds = retryAfterSeconds[refusal.code];
  return new ProblemError({
    code: codeOf(refusal),
    detail,
    cause: refusal,
    ...(seconds && { headers: { 'retry-after': String(seconds) } }),
  });
}

type Refusal = GroupsError | HoldParametersError | ScheduleStoreError;

function codeOf(error: Refusal): ProblemCode {
  if (error.code !== 'invalid') return codes[error.code];
  if (error instanceof ScheduleStoreError) return 'invalid-schedule';
  return error instanceof HoldParametersError ? 'invalid-hold' : codes.invalid;
}

const isRefusal = (error: unknown): error is Refusal =>
  error instanceof GroupsError || error instanceof HoldParametersError || error instanceof ScheduleStoreError;

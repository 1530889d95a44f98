import type * as z from 'zod/mini';
import { GroupsError } from '../capacity/groups.ts';
import { HoldParametersError } from '../capacity/holds/context.ts';
import { ScheduleStoreError } from '../capacity/schedules/change-schedules.ts';
import type { HttpResult } from './http-call.ts';
import type { problem as problemSchema } from './schemas/answers/problem.ts';

/** Every problem type with its fixed status and title. */
export const problems = {
  'malformed-request': { status: 400, title: 'The request cannot be parsed' },
  'invalid-parameter': { status: 400, title: 'A parameter of the request is not valid' },
  forbidden: { status: 403, title: 'The caller is not allowed to do this' },
  'not-found': { status: 404, title: 'The resource does not exist' },
  'group-not-found': { status: 404, title: 'The managed group does not exist' },
  'instance-not-found': { status: 404, title: 'No managed group has this instance' },
  'schedule-not-found': { status: 404, title: 'The schedule does not exist' },
  'hold-not-found': { status: 404, title: 'The hold does not exist' },
  'roll-not-found': { status: 404, title: 'The roll does not exist' },
  'method-not-allowed': { status: 405, title: 'The resource does not support this method' },
  'group-busy': { status: 409, title: 'AWS is already changing the group' },
  'hold-taken': { status: 409, title: 'The name of the hold is already in use' },
  'schedule-taken': { status: 409, title: 'The name of the schedule is already in use' },
  'hold-over': { status: 409, title: 'The hold has ended' },
  'roll-taken': { status: 409, title: 'The name of the roll is already in use' },
  'roll-refused': { status: 409, title: 'The roll cannot begin' },
  'rolls-off': { status: 409, title: 'The deployment has rolls off' },
  'roll-conflict': { status: 409, title: 'The roll is in another state' },
  held: { status: 409, title: 'A hold requires more nodes' },
  'etcd-group': { status: 409, title: 'etcd groups cannot be scaled through this API' },
  'eks-nodegroup': { status: 409, title: 'EKS manages the size of this node group' },
  undrained: { status: 409, title: 'The node would not be drained' },
  'precondition-failed': { status: 412, title: 'The group has changed' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is not JSON' },
  'invalid-body': { status: 422, title: 'The body is not valid' },
  'invalid-hold': { status: 422, title: 'The hold is not valid' },
  'invalid-roll': { status: 422, title: 'The roll is not valid' },
  'invalid-schedule': { status: 422, title: 'The schedule is not valid' },
  'capacity-out-of-bounds': { status: 422, title: 'The capacity is out of bounds' },
  internal: { status: 500, title: 'Drover failed' },
  'not-permitted': { status: 500, title: 'Drover lacks a permission' },
  throttled: { status: 503, title: 'AWS throttled the request' },
  'cluster-unavailable': { status: 503, title: 'The API server did not respond' },
  unavailable: { status: 503, title: 'AWS did not respond' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>;

export type ProblemCode = keyof typeof problems;

/** Problem Details for HTTP APIs (RFC 9457). */
type Problem = z.infer<typeof problemSchema>;

/** One wrong field: its JSON pointer in the body, or the name of the parameter. */
export type FieldProblem = NonNullable<Problem['errors']>[number];

export const problemType = (code: ProblemCode): string => `https://drover.dev/problems/${code}`;

/** An error that is sent to the caller unchanged, so it must not contain a secret. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(options: {
    readonly code: ProblemCode;
    readonly detail: string;
    readonly errors?: readonly FieldProblem[];
    readonly headers?: Readonly<Record<string, string>>;
    readonly cause?: unknown;
  }) {
    super(options.detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.problem = {
      type: problemType(options.code),
      ...problems[options.code],
      detail: options.detail,
      ...(options.errors && { errors: [...options.errors] }),
    };
    this.headers = options.headers ?? {};
  }
}

/** The response with the problem document. */
export function problemResult({ problem, headers }: ProblemError): HttpResult {
  return {
    statusCode: problem.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(problem),
  };
}

type Refusal = GroupsError | HoldParametersError | ScheduleStoreError;
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

/** The problem of a failed request: a ProblemError is returned unchanged, and an unknown error becomes `internal`. */
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

/** The error of a failed change. Without a response from AWS, it adds that the change may have been made. */
export function toErrorOfChange(error: unknown): unknown {
  if (!isRefusal(error) || error.code !== 'unavailable') return error;
  return problemOf(
    error,
    `${error.message}; the change may or may not have been made, and it is safe to retry`,
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

function codeOf(error: Refusal): ProblemCode {
  if (error.code !== 'invalid') return codes[error.code];
  if (error instanceof ScheduleStoreError) return 'invalid-schedule';
  return error instanceof HoldParametersError ? 'invalid-hold' : codes.invalid;
}

const isRefusal = (error: unknown): error is Refusal =>
  error instanceof GroupsError || error instanceof HoldParametersError || error instanceof ScheduleStoreError;

import type { HttpResult } from './http-call.ts';

/** Every kind of problem, with its fixed status and title. */
export const problems = {
  'malformed-request': { status: 400, title: 'The request cannot be read' },
  'invalid-parameter': { status: 400, title: 'A parameter of the request is not valid' },
  forbidden: { status: 403, title: 'The caller may not do this' },
  'not-found': { status: 404, title: 'There is no such resource' },
  'group-not-found': { status: 404, title: 'There is no such managed group' },
  'instance-not-found': { status: 404, title: 'No managed group has such an instance' },
  'schedule-not-found': { status: 404, title: 'There is no such schedule' },
  'hold-not-found': { status: 404, title: 'There is no such hold' },
  'method-not-allowed': { status: 405, title: 'The resource does not allow this method' },
  'group-busy': { status: 409, title: 'AWS is busy with the group' },
  'hold-taken': { status: 409, title: 'The name of the hold stands for something else' },
  'schedule-taken': { status: 409, title: 'The name of the schedule stands for something else' },
  'hold-over': { status: 409, title: 'The hold has ended' },
  held: { status: 409, title: 'A hold keeps the group larger' },
  'etcd-group': { status: 409, title: 'An etcd group is not scaled here' },
  'eks-nodegroup': { status: 409, title: 'EKS sets the size of its node groups' },
  undrained: { status: 409, title: 'The node would not be drained' },
  'precondition-failed': { status: 412, title: 'The group has changed' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is not JSON' },
  'invalid-body': { status: 422, title: 'The body is not valid' },
  'invalid-hold': { status: 422, title: 'The hold is not valid' },
  'invalid-schedule': { status: 422, title: 'The schedule makes no holds' },
  'capacity-out-of-bounds': { status: 422, title: 'The group may not have this capacity' },
  internal: { status: 500, title: 'Drover failed' },
  'not-permitted': { status: 500, title: 'Drover lacks a permission' },
  throttled: { status: 503, title: 'AWS asks for fewer calls' },
  unavailable: { status: 503, title: 'AWS does not answer' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>;

export type ProblemCode = keyof typeof problems;

/** One wrong field: its JSON pointer in the body, or the name of the parameter. */
export interface FieldProblem {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}

/** Problem Details for HTTP APIs (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly FieldProblem[];
}

export const problemType = (code: ProblemCode): string => `https://drover.dev/problems/${code}`;

/** An error that is sent to the caller as it is, so it must not contain a secret. */
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
      ...(options.errors && { errors: options.errors }),
    };
    this.headers = options.headers ?? {};
  }
}

/** The answer with the problem document. */
export function problemResult({ problem, headers }: ProblemError): HttpResult {
  return {
    statusCode: problem.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(problem),
  };
}

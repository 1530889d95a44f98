import * as z from 'zod/mini';
import { parseJson } from '../../shared/base/parse-json.ts';
import type { HttpResponse } from '../../shared/net/http.ts';
import { problem as problemSchema } from '../../shared/scale-api/schemas/answers/problem.ts';

/** The scale API refused a request, or its answer is not one of the scale API. */
export class ScaleApiError extends Error {
  override readonly name = 'ScaleApiError';
  /** Absent when no answer came. */
  readonly statusCode?: number;
  /** The word for the kind of problem, such as `hold-not-found`. */
  readonly problem?: string;
  /** Whether the same request may be answered later. */
  readonly isPassing: boolean;

  constructor(
    message: string,
    options: {
      readonly statusCode?: number;
      readonly problem?: string;
      readonly isPassing?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    if (options.statusCode !== undefined) this.statusCode = options.statusCode;
    if (options.problem !== undefined) this.problem = options.problem;
    this.isPassing = options.isPassing ?? false;
  }
}

const passing = [429, 502, 503, 504];

/** Reads the body of a failed response: our problem document, or the short message of API Gateway. */
export function toApiError(
  { status, body }: HttpResponse,
  { method, host }: { readonly method: string; readonly host: string },
): ScaleApiError {
  const options = { statusCode: status, isPassing: passing.includes(status) };
  const parsed = z.safeParse(problemSchema, parseJson(body));
  if (parsed.success) {
    const { type, title, detail } = parsed.data;
    const problem = type.replace(/^.*\//, '');
    const details = [detail, ...fieldsOf(parsed.data), ...adviceFor(problem)];
    return new ScaleApiError(`${title}: ${details.join('; ')}`, { ...options, problem });
  }
  return new ScaleApiError(
    `the scale API at ${host} answered ${status} and no problem document: ${remedyFor({ status, method })}`,
    options,
  );
}

/** The command that helps, where the API knows of no command. */
const adviceFor = (problem: string): readonly string[] =>
  problem === 'group-not-found' ? ['drover groups lists them'] : [];

/** API Gateway answers so without the function, or where the function fails or takes too long. */
function remedyFor({ status, method }: { readonly status: number; readonly method: string }): string {
  if (status === 429) return 'too many requests; try again in some seconds';
  if (status < 500) return 'check its address';
  return `try again, and see the log of the function scale-api${unknownChange(method)}`;
}

/** The request may have been received, but its answer was not: to ask for the same again does no harm. */
export const unknownChange = (method: string): string =>
  method === 'GET' ? '' : '; a change may have been made, and the same command may be given again';

const fieldsOf = ({ detail, errors = [] }: z.infer<typeof problemSchema>): string[] =>
  errors
    .filter((field) => field.detail !== detail)
    .map((field) => `${field.parameter ?? field.pointer ?? ''} ${field.detail}`.trim());

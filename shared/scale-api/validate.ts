import * as z from 'zod/mini';
import { wordsOf } from '../base/issues.ts';
import type { HttpCall } from './http-call.ts';
import { type FieldProblem, ProblemError } from './problem.ts';

/** No body of this API needs more. */
const maximumBodyBytes = 16_384;

/**
 * Reads the body with a schema.
 *
 * @throws ProblemError: 413 for more than 16 KiB, 415 for another media type, 400 for no JSON, 422 with every wrong field.
 */
export function readBody<Schema extends z.ZodMiniType>(call: HttpCall, schema: Schema): z.infer<Schema> {
  if (Buffer.byteLength(call.body) > maximumBodyBytes)
    throw new ProblemError({
      code: 'body-too-large',
      detail: `the body may have at most ${maximumBodyBytes} bytes`,
    });
  const mediaType = call.headers['content-type'] ?? 'application/json';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(mediaType))
    throw new ProblemError({ code: 'unsupported-media-type', detail: 'send it as application/json' });
  const parsed = z.safeParse(schema, parseJson(call.body));
  if (parsed.success) return parsed.data;
  throw new ProblemError({
    code: 'invalid-body',
    detail: 'errors lists every wrong field',
    errors: fieldProblems(parsed.error, (path) => ({ pointer: pointerOf(path) })),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProblemError({ code: 'malformed-request', detail: 'the body is not JSON', cause });
  }
}

/**
 * Reads the query with a strict schema: a misspelt `dryRun` must not make a real change.
 *
 * @throws ProblemError with status 400 and every parameter that is wrong, unknown or repeated.
 */
export function readQuery<Schema extends z.ZodMiniType>(call: HttpCall, schema: Schema): z.infer<Schema> {
  const names = [...call.query.keys()];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  const parsed = z.safeParse(schema, Object.fromEntries(call.query));
  const errors = [
    ...repeated.map((parameter) => ({ parameter, detail: 'is given more than once' })),
    ...(parsed.success ? [] : fieldProblems(parsed.error, (path) => ({ parameter: path.join('.') }))),
  ];
  if (parsed.success && errors.length === 0) return parsed.data;
  throw new ProblemError({
    code: 'invalid-parameter',
    detail: 'errors lists every wrong parameter',
    errors,
  });
}

type Place = Pick<FieldProblem, 'pointer' | 'parameter'>;

/** Shows names that the caller chose only shortened, and no values. */
function fieldProblems(error: z.core.$ZodError, place: (path: readonly string[]) => Place): FieldProblem[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        ...place([...path, key.slice(0, 64)]),
        detail: 'is unknown',
      }));
    return [{ ...place(path), detail: wordsOf(issue) }];
  });
}

/** A JSON pointer as a URI fragment, as in the example of RFC 9457. */
const pointerOf = (path: readonly string[]): string =>
  `#${path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;

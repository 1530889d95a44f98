import * as z from 'zod/mini';
import { wordsOf } from '../lifecycle/issues.ts';
import type { HttpCall } from './http-call.ts';
import { type FieldProblem, ProblemError } from './problem.ts';

/** More than any body of this API needs. */
const maximumBodyBytes = 16_384;

/**
 * The body by its schema.
 *
 * @throws ProblemError: 413 for more than 16 KiB, 415 for another media type, 400 for no JSON, 422 with every field that is wrong.
 */
export function readBody<Schema extends z.ZodMiniType>(call: HttpCall, schema: Schema): z.infer<Schema> {
  if (Buffer.byteLength(call.body) > maximumBodyBytes)
    throw new ProblemError({ code: 'body-too-large', detail: `at most ${maximumBodyBytes} bytes are read` });
  const mediaType = call.headers['content-type'] ?? 'application/json';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(mediaType))
    throw new ProblemError({ code: 'unsupported-media-type', detail: 'send it as application/json' });
  const parsed = z.safeParse(schema, parseJson(call.body));
  if (parsed.success) return parsed.data;
  throw new ProblemError({
    code: 'invalid-body',
    detail: 'every field that is wrong stands in errors',
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
 * The query by its schema, which is strict: a misspelt `dryRun` must not become a real change.
 *
 * @throws ProblemError with status 400 and every parameter that is wrong, unknown or given twice.
 */
export function readQuery<Schema extends z.ZodMiniType>(call: HttpCall, schema: Schema): z.infer<Schema> {
  const names = [...call.query.keys()];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  const parsed = z.safeParse(schema, Object.fromEntries(call.query));
  const errors = [
    ...repeated.map((parameter) => ({ parameter, detail: 'stands there more than once' })),
    ...(parsed.success ? [] : fieldProblems(parsed.error, (path) => ({ parameter: path.join('.') }))),
  ];
  if (parsed.success && errors.length === 0) return parsed.data;
  throw new ProblemError({
    code: 'invalid-parameter',
    detail: 'every parameter that is wrong stands in errors',
    errors,
  });
}

type Place = Pick<FieldProblem, 'pointer' | 'parameter'>;

/** Names a caller chose are shown shortened, values not at all. */
function fieldProblems(error: z.core.$ZodError, place: (path: readonly string[]) => Place): FieldProblem[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        ...place([...path, key.slice(0, 64)]),
        detail: 'is not known here',
      }));
    return [{ ...place(path), detail: wordsOf(issue) }];
  });
}

/** A JSON pointer as a URI fragment, as the example in RFC 9457 has it. */
const pointerOf = (path: readonly string[]): string =>
  `#${path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;

import type { DeleteOptions } from 'kubernetes-types/meta/v1.d.ts';
import * as z from 'zod/mini';
import { checkContentType, typeOf } from './body.ts';
import { unexplained } from './errors.ts';
import { goSyntaxError } from './go-json.ts';
import { checkDryRun, invalidOptions } from './option-checks.ts';
import { wholeNumber } from './query-numbers.ts';

const text = z.optional(z.nullable(z.string()));

const schema = z.looseObject({
  gracePeriodSeconds: z.optional(z.nullable(z.int())),
  propagationPolicy: text,
  orphanDependents: z.optional(z.nullable(z.boolean())),
  preconditions: z.optional(
    z.nullable(z.looseObject({ uid: z.optional(z.string()), resourceVersion: z.optional(z.string()) })),
  ),
  dryRun: z.optional(z.nullable(z.array(z.string()))),
});

/** The body of a deletion, which may be absent. Throws 415, and 500 for what cannot be read, as the real server does. */
export function parseDeleteBody(body: string | undefined, contentType: string | undefined): unknown {
  if (body === undefined || body === '') return {};
  checkContentType(contentType);
  try {
    return JSON.parse(body) ?? {};
  } catch (error) {
    throw unexplained(`couldn't get version/kind; json parse error: ${goSyntaxError(error, body)}`);
  }
}

/** DeleteOptions; those of the query are read where `value` says nothing. Throws 400, 422, 500. */
export function parseDeleteOptions(value: unknown, query: URLSearchParams): DeleteOptions {
  const parsed = schema.safeParse(value ?? {});
  if (!parsed.success) throw unreadableOptions(value, parsed.error.issues[0]?.path ?? []);
  const { gracePeriodSeconds, propagationPolicy, preconditions, orphanDependents, dryRun } = parsed.data;
  const grace = gracePeriodSeconds ?? wholeNumber(query, 'gracePeriodSeconds');
  const policy = propagationPolicy ?? query.get('propagationPolicy') ?? undefined;
  const options = {
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    ...(policy !== undefined && { propagationPolicy: policy }),
    ...(typeof orphanDependents === 'boolean' && { orphanDependents }),
    ...(preconditions !== undefined && preconditions !== null && { preconditions }),
    ...(dryRun !== undefined && dryRun !== null && { dryRun }),
  };
  check(options);
  return options;
}

function unreadableOptions(value: unknown, path: readonly PropertyKey[]) {
  const found = path.reduce<unknown>((at, step) => Reflect.get(Object(at), step), value);
  const field = `DeleteOptions.${path.join('.')}`;
  return unexplained(`json: cannot unmarshal ${typeOf(found)} into Go struct field ${field}`);
}

const policies = ['Foreground', 'Background', 'Orphan'];
const supported = '"Foreground", "Background", "Orphan", "nil"';

function check({ dryRun, propagationPolicy: policy, orphanDependents }: DeleteOptions): void {
  checkDryRun('DeleteOptions', dryRun ?? []);
  const field = 'propagationPolicy';
  if (policy !== undefined && orphanDependents !== undefined)
    throw invalidOptions('DeleteOptions', {
      reason: 'FieldValueInvalid',
      message: `Invalid value: "${policy}": orphanDependents and deletionPropagation cannot be both set`,
      field,
    });
  if (policy === undefined || policy === '' || policies.includes(policy)) return;
  const message = `Unsupported value: "${policy}": supported values: ${supported}`;
  throw invalidOptions('DeleteOptions', { reason: 'FieldValueNotSupported', message, field });
}

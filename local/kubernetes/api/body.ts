import type { DeleteOptions } from 'kubernetes-types/meta/v1.d.ts';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import type { KubernetesObject } from '../store/object.ts';
import { badRequest, unsupportedMediaType } from './errors.ts';

const metadata = z.looseObject({
  name: z.optional(z.string()),
  generateName: z.optional(z.string()),
  namespace: z.optional(z.string()),
  uid: z.optional(z.string()),
  resourceVersion: z.optional(z.string()),
  labels: z.optional(z.nullable(z.record(z.string(), z.string()))),
  annotations: z.optional(z.nullable(z.record(z.string(), z.string()))),
  finalizers: z.optional(z.nullable(z.array(z.string()))),
});

const objectSchema = z.looseObject({
  apiVersion: z.optional(z.string()),
  kind: z.optional(z.string()),
  metadata: z.optional(metadata),
});

const deleteOptionsSchema = z.looseObject({
  gracePeriodSeconds: z.optional(z.nullable(z.int())),
  propagationPolicy: z.optional(z.nullable(z.string())),
  orphanDependents: z.optional(z.nullable(z.boolean())),
  preconditions: z.optional(
    z.nullable(z.looseObject({ uid: z.optional(z.string()), resourceVersion: z.optional(z.string()) })),
  ),
  dryRun: z.optional(z.nullable(z.array(z.string()))),
});

/** JSON, or YAML where the content type says so. Throws 400 when it is neither, 415 for anything else. */
export function parseBody(body: string | undefined, contentType = 'application/json'): unknown {
  if (/protobuf|cbor/.test(contentType)) throw unsupportedMediaType(['application/json', 'application/yaml']);
  try {
    return contentType.includes('yaml') ? parse(body ?? '') : JSON.parse(body ?? '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw badRequest(`the object provided is unrecognized (must be of type JSON): ${reason}`);
  }
}

/** An object of the API, checked for what every kind has; nulls in its metadata count as absent. Throws 400. */
export function parseObject(value: unknown): KubernetesObject {
  const parsed = objectSchema.safeParse(value);
  if (parsed.success) return withoutNulls(parsed.data);
  const [issue] = parsed.error.issues;
  throw badRequest(`json: cannot unmarshal ${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? ''}`);
}

/** As Go reads JSON: a null is a field that is not there. */
function withoutNulls(value: object): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) => (entry === null ? [] : [[key, cleaned(entry)]])),
  );
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  return typeof value === 'object' && value !== null ? withoutNulls(value) : value;
}

/** DeleteOptions of a body, which may be absent; those of the query are read where it says nothing. Throws 400. */
export function parseDeleteOptions(value: unknown, query: URLSearchParams): DeleteOptions {
  const parsed = deleteOptionsSchema.safeParse(value ?? {});
  if (!parsed.success) throw badRequest('the body is not a valid DeleteOptions');
  const { gracePeriodSeconds, propagationPolicy, preconditions, orphanDependents } = parsed.data;
  const grace = gracePeriodSeconds ?? numberOf(query.get('gracePeriodSeconds'));
  const policy = propagationPolicy ?? query.get('propagationPolicy') ?? undefined;
  return {
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    ...(policy !== undefined && { propagationPolicy: policy }),
    ...(typeof orphanDependents === 'boolean' && { orphanDependents }),
    ...(preconditions !== undefined && preconditions !== null && { preconditions }),
    ...(parsed.data.dryRun !== undefined && parsed.data.dryRun !== null && { dryRun: parsed.data.dryRun }),
  };
}

function numberOf(text: string | null): number | undefined {
  return text === null || text === '' ? undefined : Number(text);
}

import { parse } from 'yaml';
import * as z from 'zod/mini';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { KubernetesObject } from '../store/object.ts';
import { badRequest, unsupportedMediaType } from './errors.ts';
import { goSyntaxError } from './go-json.ts';

const text = z.optional(z.string());
const texts = z.optional(z.nullable(z.record(z.string(), z.string())));

const metadata = z.looseObject({
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  labels: texts,
  annotations: texts,
  finalizers: z.optional(z.nullable(z.array(z.string()))),
});

const objectSchema = z.looseObject({ apiVersion: text, kind: text, metadata: z.optional(metadata) });

/**
 * JSON, or YAML where the content type says so; null is an empty object. `kind`: what it was meant to be, for the words of
 * the refusal. Throws 400 when it is neither, 415 for anything else.
 */
export function parseBody(body = '', contentType = 'application/json', kind = 'JSON'): unknown {
  checkContentType(contentType);
  try {
    return (contentType.includes('yaml') ? parse(body) : JSON.parse(body)) ?? {};
  } catch (error) {
    const why = `couldn't get version/kind; json parse error: ${goSyntaxError(error, body)}`;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${why} (${summaryOf(body)})`,
    );
  }
}

/** Throws 415 for what is neither JSON nor YAML. */
export function checkContentType(contentType = 'application/json'): void {
  const type = contentType.split(';')[0]?.trim() ?? '';
  if (!['', 'application/json', 'application/yaml'].includes(type)) throw unsupportedMediaType();
}

const mostLetters = 30;

/** As the server shows what it could not read: text that looks like JSON as it is, everything else as hexadecimal. */
function summaryOf(body: string): string {
  if (body === '') return '<empty>';
  const bytes = Buffer.from(body).subarray(0, mostLetters);
  const shown = body.startsWith('{') ? bytes.toString('utf8') : bytes.toString('hex');
  return Buffer.byteLength(body) > mostLetters ? `${shown} ...` : shown;
}

/** An object of the API, checked for what every kind has; nulls in its metadata count as absent. Throws 400. */
export function parseObject(
  value: unknown,
  { kind, version }: Pick<ResourceDefinition, 'kind' | 'version'>,
): KubernetesObject {
  const parsed = objectSchema.safeParse(value);
  if (parsed.success) return withoutNulls(parsed.data);
  throw unreadable({ kind, version }, value, parsed.error.issues[0]);
}

interface Issue {
  readonly path: readonly PropertyKey[];
}

/** What a value that does not fit is called: Go's own types are not known here, so the field is named instead. */
export function unreadable(
  { kind, version }: Pick<ResourceDefinition, 'kind' | 'version'>,
  value: unknown,
  issue: Issue | undefined,
) {
  const path = issue?.path ?? [];
  const found = path.reduce<unknown>(
    (at, step) => (Object(at) === at ? Reflect.get(Object(at), step) : at),
    value,
  );
  const what =
    path.length === 0
      ? `couldn't get version/kind; json parse error: json: cannot unmarshal ${typeOf(found)} into Go value of type struct`
      : `json: cannot unmarshal ${typeOf(found)} into Go struct field ${kind}.${path.join('.')}`;
  if (path.length === 0)
    return badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${what} (${summaryOf(JSON.stringify(value))})`,
    );
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${what}`);
}

/** As encoding/json names a value. */
export function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
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

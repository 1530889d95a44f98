import { parse } from 'yaml';
import { typeOf } from './body.ts';
import { badRequest } from './errors.ts';
import { goSyntaxError } from './go-json.ts';

export const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const;

export type PatchType = (typeof patchTypes)[number];

/** Each kind of patch is read by a reader of its own, and refused (400) in its words. */
export function parsePatch(type: PatchType, body: string): unknown {
  switch (type) {
    case 'application/apply-patch+yaml':
      return parseApplied(body);
    case 'application/json-patch+json':
      return parseOperations(body);
    case 'application/merge-patch+json':
      return parseMap(body, 'error decoding patch: ');
    case 'application/strategic-merge-patch+json':
      return parseMap(body, '');
  }
}

const unreadable = (what: unknown, as: string): string =>
  `json: cannot unmarshal ${typeOf(what)} into Go value of type ${as}`;
const map = 'map[string]interface {}';

function parseMap(body: string, prefix: string): unknown {
  const value = parseJson(body, prefix);
  if (!isMap(value)) throw badRequest(`${prefix}${unreadable(value, map)}`);
  return value;
}

function parseOperations(body: string): unknown {
  const prefix = 'error decoding patch: ';
  const value = parseJson(body, prefix);
  if (!Array.isArray(value)) throw badRequest(`${prefix}${unreadable(value, '[]handlers.jsonPatchOp')}`);
  const odd: unknown = value.find((operation) => !isMap(operation));
  if (odd !== undefined) throw badRequest(`${prefix}${unreadable(odd, 'handlers.jsonPatchOp')}`);
  return value;
}

function parseApplied(body: string): unknown {
  const prefix = 'error decoding YAML: ';
  const value = parseYaml(body, prefix);
  if (!isMap(value))
    throw badRequest(`${prefix}error unmarshaling JSON: while decoding JSON: ${unreadable(value, map)}`);
  return value;
}

const isMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(body: string, prefix: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw badRequest(`${prefix}${goSyntaxError(error, body)}`);
  }
}

function parseYaml(body: string, prefix: string): unknown {
  try {
    return parse(body);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw badRequest(`${prefix}error converting YAML to JSON: yaml: ${reason}`);
  }
}

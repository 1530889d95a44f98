import type { NormalizedSchema } from '@smithy/core/schema';

export type Problem =
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'type'; readonly path: string; readonly expected: string };

const requiredCountIndex = 6;
const memberNamesIndex = 4;

/** The SDK's schemas put the required members first and say how many they are. */
function requiredMembers(schema: NormalizedSchema): ReadonlySet<string> {
  const fields: unknown = schema.getSchema();
  if (!Array.isArray(fields)) return new Set();
  const names: unknown = fields[memberNamesIndex];
  const count: unknown = fields[requiredCountIndex];
  return new Set(Array.isArray(names) && typeof count === 'number' ? names.slice(0, count) : []);
}

/**
 * What an input lacks or has of the wrong type, by the SDK's own schema. Lengths, patterns and ranges are not in these
 * schemas: each operation checks its own.
 */
export function findProblems(schema: NormalizedSchema, value: unknown, path = ''): Problem[] {
  if (value === undefined || value === null) return [];
  if (schema.isStructSchema()) return structureProblems(schema, value, path);
  if (schema.isListSchema()) return listProblems(schema, value, path);
  if (schema.isMapSchema()) return mapProblems(schema, value, path);
  const expected = scalarType(schema, value);
  return expected === undefined ? [] : [{ kind: 'type', path, expected }];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function structureProblems(schema: NormalizedSchema, value: unknown, path: string): Problem[] {
  if (!isRecord(value)) return [{ kind: 'type', path, expected: 'structure' }];
  const required = requiredMembers(schema);
  const problems: Problem[] = [];
  for (const [name, member] of schema.structIterator()) {
    const child = value[name];
    const memberPath = path === '' ? name : `${path}.${name}`;
    if (child === undefined && required.has(name)) problems.push({ kind: 'missing', path: memberPath });
    else problems.push(...findProblems(member, child, memberPath));
  }
  return problems;
}

function listProblems(schema: NormalizedSchema, value: unknown, path: string): Problem[] {
  if (!Array.isArray(value)) return [{ kind: 'type', path, expected: 'list' }];
  const item = schema.getValueSchema();
  return value.flatMap((entry, index) => findProblems(item, entry, `${path}.${index + 1}.member`));
}

function mapProblems(schema: NormalizedSchema, value: unknown, path: string): Problem[] {
  if (!isRecord(value)) return [{ kind: 'type', path, expected: 'map' }];
  const item = schema.getValueSchema();
  return Object.entries(value).flatMap(([key, entry]) => findProblems(item, entry, `${path}.${key}.member`));
}

function scalarType(schema: NormalizedSchema, value: unknown): string | undefined {
  if (schema.isStringSchema() && typeof value !== 'string') return 'string';
  if (schema.isNumericSchema() && typeof value !== 'number') return 'number';
  if (schema.isBooleanSchema() && typeof value !== 'boolean') return 'boolean';
  if (schema.isTimestampSchema() && !(value instanceof Date)) return 'timestamp';
  return undefined;
}

import type * as z from 'zod/mini';
import type { Finding } from './field-schemas.ts';
import { quoted } from './names.ts';

type Issue = z.core.$ZodIssue;

/** The issues of a schema in words, each at its field. `value` is what was parsed. */
export const findingsOf = (issues: readonly Issue[], value: unknown): readonly Finding[] =>
  issues.map((issue) => ({ path: issue.path, message: messageOf(issue, valueAt(value, issue.path)) }));

/** A path as people write it, such as `spec.containers[0].resources.requests["nvidia.com/gpu"]`. */
export const fieldOf = (path: readonly PropertyKey[]): string =>
  path.map((part, index) => stepOf(part, index === 0)).join('');

function stepOf(part: PropertyKey, isFirst: boolean): string {
  if (typeof part === 'number') return `[${part}]`;
  const name = String(part);
  if (!/^[\w-]{1,80}$/.test(name)) return `[${quoted(name)}]`;
  return isFirst ? name : `.${name}`;
}

/** The value at a path; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce(
    (at: unknown, part) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, part)
        ? (at as Readonly<Record<PropertyKey, unknown>>)[part]
        : undefined,
    value,
  );

/** The message of an issue about a value, which it quotes. */
export function messageOf(issue: Issue, value: unknown): string {
  if (issue.code === 'custom') return issue.message;
  if (value === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, value);
    case 'invalid_union':
      return `must be a quantity such as 500m or 1Gi, and is ${kindOf(value)}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).filter(Boolean).join(' or ')}, and is ${quoted(shown(value))}`;
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `must be at least ${issue.minimum}, and is ${shown(value)}`
        : issue.message;
    case 'too_big':
      return `must be at most ${issue.maximum}, and is ${shown(value)}`;
    default:
      return issue.message;
  }
}

function wrongType(expected: string, value: unknown): string {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  if (expected === 'string' && isScalar)
    return `must be text, and is ${kindOf(value)} ${String(value)}: write it in quotes`;
  const found = typeof value === 'string' ? `the text ${quoted(value)}` : kindOf(value);
  return `must be ${wanted[expected] ?? expected}, and is ${found}`;
}

const wanted: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

/** A value of the manifest as text. */
export const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return kinds[typeof value] ?? typeof value;
};

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'the number',
  boolean: 'the boolean',
  object: 'a map',
};

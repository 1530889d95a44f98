import type { Filter } from '@aws-sdk/client-ec2';
import { wildcard } from '../wildcard.ts';
import { ec2Errors } from './errors.ts';

/** The values that a filter compares, by its name. */
export type FilterFields<T> = Readonly<Record<string, (item: T) => readonly (string | undefined)[]>>;

interface Tagged {
  readonly tags: ReadonlyMap<string, string>;
}

/** Filters that every resource with tags has: `tag:KEY`, `tag-key` and `tag-value`. */
export const tagFields = {
  'tag-key': (item: Tagged) => [...item.tags.keys()],
  'tag-value': (item: Tagged) => [...item.tags.values()],
};

/** Items that every filter lets through; a filter's values are alternatives, with `*` and `?`. Throws on an unknown filter. */
export function keep<T>(items: readonly T[], filters: Filter[] | undefined, fields: FilterFields<T>): T[] {
  const tests = (filters ?? []).map((filter) => testOf(filter, fields));
  return items.filter((item) => tests.every((test) => test(item)));
}

function testOf<T>(filter: Filter, fields: FilterFields<T>): (item: T) => boolean {
  const name = filter.Name ?? '';
  const read = name.startsWith('tag:') ? tagReader(name.slice(4)) : fields[name];
  if (read === undefined) throw ec2Errors.invalidFilter(name);
  const values = filter.Values ?? [];
  const exact = new Set(values.filter((value) => !/[*?]/.test(value)));
  const patterns = values.filter((value) => /[*?]/.test(value)).map(wildcard);
  const matches = (value: string): boolean => exact.has(value) || patterns.some((pattern) => pattern(value));
  return (item) => read(item).some((value) => value !== undefined && matches(value));
}

function tagReader(key: string): (item: unknown) => readonly (string | undefined)[] {
  return (item) => (hasTags(item) ? [item.tags.get(key)] : []);
}

const hasTags = (item: unknown): item is Tagged =>
  typeof item === 'object' && item !== null && 'tags' in item && item.tags instanceof Map;

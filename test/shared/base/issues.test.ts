import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { describeIssues } from '../../../shared/base/issues.ts';

const schema = z.object({
  name: z.string().check(z.minLength(2), z.maxLength(4)),
  kind: z.enum(['a', 'b']),
  when: z.iso.datetime(),
  even: z.number().check(z.refine((number) => number % 2 === 0)),
  deep: z.object({ list: z.array(z.number()) }),
});
const good = { name: 'abc', kind: 'a', when: '2026-11-21T07:00:00Z', even: 2, deep: { list: [] } };
const described = (parts: Readonly<Record<string, unknown>>) => {
  const result = z.safeParse(schema, { ...good, ...parts });
  return result.success ? undefined : describeIssues(result.error);
};

describe('the text of schema issues', () => {
  it.each([
    [{ name: 7 }, 'name: expected string'],
    [{ name: 'a' }, 'name: shorter or smaller than 2'],
    [{ name: 'abcde' }, 'name: longer or larger than 4'],
    [{ kind: 'c' }, 'kind: expected one of a, b'],
    [{ when: 'secret' }, 'when: not in the format datetime'],
    [{ even: 3 }, 'even: not as expected'],
    [{ deep: { list: [1, 'secret'] } }, 'deep.list.1: expected number'],
  ])('in %j names the field in Drover’s words, without the value', (parts, words) => {
    expect(described(parts)).toBe(words);
  });

  it('names an issue of the whole value `the whole`', () => {
    const result = z.safeParse(schema, 'text');
    expect(result.error && describeIssues(result.error)).toBe('(the whole): expected object');
  });

  it('lists three issues and counts the rest', () => {
    const three = { name: 7, kind: 'c', when: 'x' };
    expect(described(three)?.split('; ')).toHaveLength(3);
    expect(described({ ...three, even: 'x', deep: 1 })?.split('; ')).toEqual([
      'name: expected string',
      'kind: expected one of a, b',
      'when: not in the format datetime',
      'and 2 more',
    ]);
  });
});

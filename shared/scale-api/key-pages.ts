import { ProblemError } from './problem.ts';
import type { Page } from './schemas/paging.ts';

/** A page in the order of keys. `nextCursor` is the last key on it, so items that come or go meanwhile move no other to another page. */
export function pageByKey<Item>(
  items: readonly Item[],
  {
    keyOf,
    after,
    limit,
  }: { readonly keyOf: (item: Item) => string; readonly after: string } & Pick<Page, 'limit'>,
): { readonly items: readonly Item[]; readonly nextCursor?: string } {
  const following = items
    .map((item) => ({ item, key: keyOf(item) }))
    .filter(({ key }) => key > after)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const shown = following.slice(0, limit);
  const last = shown.at(-1)?.key;
  return {
    items: shown.map(({ item }) => item),
    ...(last !== undefined && following.length > limit && { nextCursor: cursorOf(last) }),
  };
}

const cursorOf = (key: string): string => Buffer.from(key).toString('base64url');

/**
 * The last key of the page before; empty for the first page.
 *
 * @throws ProblemError for a cursor that no page has.
 */
export function keyBefore({ cursor = '' }: Pick<Page, 'cursor'>): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (cursorOf(key) === cursor) return key;
  throw new ProblemError({
    code: 'invalid-parameter',
    detail: 'errors lists every wrong parameter',
    errors: [{ parameter: 'cursor', detail: 'is not the nextCursor of a page' }],
  });
}

import { ProblemError } from './problem.ts';

/** The page that a query asks for. */
export interface Page {
  readonly limit: number;
  readonly cursor?: string;
}

const longestPage = 100;

export const pageOf = (query: {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}): Page => ({
  limit: query.limit === undefined ? longestPage : Number(query.limit),
  ...(query.cursor !== undefined && { cursor: query.cursor }),
});

/** A page in the order of keys. `nextCursor` is the last key on it, so that items which come or go move no other item to another page. */
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
 * The last key of the previous page; empty for the first page.
 *
 * @throws ProblemError if the cursor was not made by `pageByKey`.
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

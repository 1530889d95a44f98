import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';

const limit = lazily(() =>
  z.optional(
    z.string().check(z.regex(/^(?:[1-9]\d?|100)$/), z.describe('How many at most, from 1 to 100; else 100')),
  ),
);
const cursor = lazily(() =>
  z.optional(
    z
      .string()
      .check(z.minLength(1), z.maxLength(2048), z.describe('nextCursor of the page before: an opaque text')),
  ),
);

export const pageQuery = lazily(() => z.strictObject({ limit: limit(), cursor: cursor() }));

/** In the query the name of a group is right whatever characters it has. */
export const instancesQuery = lazily(() =>
  z.strictObject({
    group: z.optional(z.string().check(z.describe('Only the instances of the group with this name'))),
    limit: limit(),
    cursor: cursor(),
  }),
);

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

import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';

export const groupParameters = lazily(() =>
  z.object({
    group: z.string().check(z.describe('The name of a managed Auto Scaling group, percent-encoded')),
  }),
);

export const noQuery = lazily(() => z.strictObject({}));

/** Any text may come: one that is no entity tag matches nothing. */
export const ifMatch = lazily(() =>
  z.object({
    'If-Match': z.optional(
      z.string().check(z.describe('The ETag of the capacity that the caller saw: if it has changed, 412')),
    ),
  }),
);

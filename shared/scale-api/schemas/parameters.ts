import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';

export const groupParameters = lazily(() =>
  z.object({
    group: z.string().check(z.describe('The name of a managed Auto Scaling group, percent-encoded')),
  }),
);

export const noQuery = lazily(() => z.strictObject({}));

const flag = (description: string) => z.optional(z.enum(['true', 'false']).check(z.describe(description)));

const dryRun = lazily(() => flag('true: report what would happen and change nothing'));

/** Strict: a misspelt dryRun is refused, not ignored. */
export const dryRunQuery = lazily(() => z.strictObject({ dryRun: dryRun() }));

/** Of the request that makes a schedule. */
export const replacingQuery = lazily(() =>
  z.strictObject({
    dryRun: dryRun(),
    replace: flag('true: replace a schedule of that name that asks for something else; a pause is kept'),
  }),
);

/** Of one schedule. */
export const countQuery = lazily(() =>
  z.strictObject({
    count: z.optional(
      z
        .string()
        .check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/), z.describe('How many times, from 1 to 1000; else five')),
    ),
  }),
);

/** Any text may come: one that is no entity tag matches nothing. */
export const ifMatch = lazily(() =>
  z.object({
    'If-Match': z.optional(
      z.string().check(z.describe('The ETag of the capacity that the caller saw: if it has changed, 412')),
    ),
  }),
);

/** Up to the limit of API Gateway, which answers 503 after 30 seconds. */
export const wait = lazily(() =>
  z.optional(
    z
      .string()
      .check(
        z.regex(/^(?:\d|1\d|20)$/),
        z.describe('Seconds, from 0 to 20, to wait until it is over; then the state as it is'),
      ),
  ),
);

export const waitQuery = lazily(() => z.strictObject({ wait: wait() }));

/** The seconds of `wait`; 0 where it is absent. */
export const waitSecondsOf = ({ wait: text }: { readonly wait?: string | undefined }): number =>
  Number(text ?? 0);

import * as z from 'zod/mini';
import { instanceIdPattern } from '../../base/instance-id.ts';
import { lazily } from '../../base/lazily.ts';

/** Field types that several kinds share. Sizes are AWS's own, so that a hostile value goes no further. */
export const instanceId = lazily(() => z.string().check(z.regex(instanceIdPattern)));

export const groupName = lazily(() => z.string().check(z.minLength(1), z.maxLength(255)));

export const hookName = lazily(() => z.string().check(z.minLength(1), z.maxLength(255)));

export const actionToken = lazily(() => z.string().check(z.minLength(1), z.maxLength(64)));

/** Origin and Destination; older events lack both. */
export const place = lazily(() => z.enum(['EC2', 'AutoScalingGroup', 'WarmPool']));

/** A time of the envelope, with or without milliseconds, brought to one form. */
export const time = lazily(() =>
  z.pipe(
    z.iso.datetime({ offset: true }),
    z.transform((text: string) => new Date(Date.parse(text)).toISOString()),
  ),
);

/** The other spelling of AWS Health: RFC 1123, `Sat, 05 Jun 2016 15:10:09 GMT`. Brought to ISO 8601. */
export const healthTime = lazily(() =>
  z.pipe(
    z.string().check(
      z.regex(/^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/),
      z.refine((text) => !Number.isNaN(Date.parse(text))),
    ),
    z.transform((text: string) => new Date(Date.parse(text)).toISOString()),
  ),
);

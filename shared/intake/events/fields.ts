import * as z from 'zod/mini';
import { instanceIdPattern } from '../../base/instance-id.ts';
import { lazily } from '../../base/lazily.ts';

/** Field types that several kinds share. Sizes are AWS's own, so that a hostile value goes no further. */
export const instanceId = lazily(() => z.string().check(z.regex(instanceIdPattern)));

export const groupName = lazily(() => z.string().check(z.minLength(1), z.maxLength(255)));

export const hookName = lazily(() => z.string().check(z.minLength(1), z.maxLength(255)));

export const actionToken = lazily(() => z.string().check(z.minLength(1), z.maxLength(64)));

/** Origin and Destination. Older events lack both. A value that AWS has added since counts as absent: the event says enough without. */
export const place = lazily(() =>
  z.pipe(
    z.string().check(z.maxLength(64)),
    z.transform((text: string) => places.find((known) => known === text)),
  ),
);

const places = ['EC2', 'AutoScalingGroup', 'WarmPool'] as const;

/** A time of the envelope, with or without milliseconds, brought to one form. */
export const time = lazily(() =>
  z.pipe(
    z.iso.datetime({ offset: true }),
    z.transform((text: string) => new Date(Date.parse(text)).toISOString()),
  ),
);

import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';

/** What Auto Scaling takes at most is its own to say; this only keeps a number a number. */
export const capacity = lazily(() => z.int().check(z.minimum(0), z.maximum(100_000)));
const capacityText = lazily(() => z.string().check(z.regex(/^(?:0|[1-9]\d{0,5})$/)));

export const capacityRequest = lazily(() =>
  z
    .strictObject({
      desiredCapacity: capacity().check(z.describe('From MinSize to MaxSize of the group')),
    })
    .check(
      z.meta({ id: 'CapacityRequest', description: 'The number of instances that the group shall have' }),
    ),
);

/** Strict: a misspelt dryRun is refused, not ignored. */
export const capacityRequestQuery = lazily(() =>
  z.strictObject({
    dryRun: z.optional(
      z.enum(['true', 'false']).check(z.describe('true: says what would happen and changes nothing')),
    ),
  }),
);

/** Both or neither: together they are the change that the status is asked for. */
export const capacityStatusQuery = lazily(() =>
  z.strictObject({
    from: z.optional(capacityText().check(z.describe('The desired capacity before the change'))),
    desired: z.optional(capacityText().check(z.describe('The desired capacity that was asked for'))),
  }),
);

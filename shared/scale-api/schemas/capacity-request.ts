import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { wait } from './parameters.ts';

/** A sanity bound; Auto Scaling enforces its own maximum. */
export const capacity = lazily(() => z.int().check(z.minimum(0), z.maximum(100_000)));
const capacityText = lazily(() => z.string().check(z.regex(/^(?:0|[1-9]\d{0,5})$/)));

export const capacityRequest = lazily(() =>
  z
    .strictObject({
      desiredCapacity: capacity().check(z.describe('From MinSize to MaxSize of the group')),
      raiseMaxSize: z.optional(
        z
          .boolean()
          .check(
            z.describe(
              'true: raise MaxSize to the desired capacity where it is smaller, for good; maxSizeLimit of the deployment bounds it',
            ),
          ),
      ),
    })
    .check(z.meta({ id: 'CapacityRequest', description: 'The desired number of instances of the group' })),
);

/** `from` and `desired` both or neither: together they name the change. */
export const capacityStatusQuery = lazily(() =>
  z.strictObject({
    from: z.optional(capacityText().check(z.describe('The desired capacity before the change'))),
    desired: z.optional(capacityText().check(z.describe('The requested desired capacity'))),
    wait: wait(),
  }),
);

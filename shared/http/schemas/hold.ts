import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { mostHeldNodes } from '../../capacity/holds/hold.ts';

const until = () =>
  z.iso
    .datetime({ offset: true })
    .check(z.maxLength(40), z.describe('The end of the hold: with an offset from UTC, and within a year'));

/** The hold of the name in the path. */
export const holdRequest = lazily(() =>
  z
    .strictObject({
      nodes: z
        .int()
        .check(z.minimum(1), z.maximum(mostHeldNodes), z.describe('How many nodes the group has at least')),
      until: until(),
      raiseMaxSize: z.optional(
        z.boolean().check(z.describe('Raise MaxSize too where it is smaller; it comes down afterwards')),
      ),
    })
    .check(z.meta({ id: 'HoldRequest', description: 'At least so many nodes in the group until a time' })),
);

export const holdExtension = lazily(() =>
  z
    .strictObject({ until: until() })
    .check(z.meta({ id: 'HoldExtension', description: 'A later end of the hold' })),
);

export const holdParameters = lazily(() =>
  z.object({
    group: z.string().check(z.describe('The name of a managed Auto Scaling group, percent-encoded')),
    name: z.string().check(z.describe('The name of the hold: letters, digits, dots, dashes and underscores')),
  }),
);

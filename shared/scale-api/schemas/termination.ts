import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';

const flag = (description: string) => z.optional(z.enum(['true', 'false']).check(z.describe(description)));

/** Strict: a misspelt dryRun is refused, not ignored. */
export const terminationQuery = lazily(() =>
  z.strictObject({
    lowerDesiredCapacity: flag('true: the group has one instance less. Otherwise another is launched'),
    undrained: flag('true: also where no hook lets the node be drained before'),
    dryRun: flag('true: report what would happen and change nothing'),
  }),
);

export const instanceParameters = lazily(() =>
  z.object({ instanceId: z.string().check(z.describe('The id of an instance of a managed group')) }),
);

import * as z from 'zod/mini';

const activity = z
  .object({
    activityId: z.string(),
    status: z.string().check(z.describe('As Auto Scaling spells it, such as Successful or Failed')),
    description: z.string(),
    cause: z.string(),
    startedAt: z.iso.datetime(),
    endedAt: z.optional(z.iso.datetime()),
    statusMessage: z.optional(z.string().check(z.describe('Why it failed'))),
  })
  .check(z.meta({ id: 'Activity', description: 'A launch or termination, in the words of Auto Scaling' }));

export const activityList = z
  .object({ activities: z.array(activity), nextCursor: z.optional(z.string()) })
  .check(z.meta({ id: 'ActivityList', description: 'A page of activities, the newest first' }));

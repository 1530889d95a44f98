import type * as z from 'zod/mini';
import { json } from './json-result.ts';
import type { Route } from './router.ts';
import { findManagedGroup, type ScaleContext } from './scale-context.ts';
import type { activityList } from './schemas/answers/activity.ts';
import { pageOf, pageQuery } from './schemas/paging.ts';
import { readQuery } from './validate.ts';

/** GET /groups/{group}/activities. */
export const activityRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'GET',
    path: '/groups/{group}/activities',
    role: 'viewer',
    answer: async (call, parameters) => {
      const page = pageOf(readQuery(call, pageQuery()));
      const { autoScalingGroupName } = await findManagedGroup(context, parameters.group);
      const found = await context.groups.listActivities({ autoScalingGroupName, ...page });
      const body: z.infer<typeof activityList> = { ...found, activities: [...found.activities] };
      return json(200, body);
    },
  },
];

import { activityRoutes } from './activity-routes.ts';
import { capacityRoutes } from './capacity-routes.ts';
import { groupRoutes } from './group-routes.ts';
import { holdReadingRoutes } from './hold-reading-routes.ts';
import { holdRoutes } from './hold-routes.ts';
import { instanceRoutes } from './instance-routes.ts';
import type { Route } from './router.ts';
import type { ScaleContext } from './scale-context.ts';
import { scheduleChangeRoutes } from './schedule-change-routes.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { statusRoutes } from './status-routes.ts';
import { terminationRoutes } from './termination-routes.ts';

/** Every operation of the scale API. */
export const scaleRoutes = (context: ScaleContext): readonly Route[] => [
  ...groupRoutes(context),
  ...activityRoutes(context),
  ...instanceRoutes(context),
  ...terminationRoutes(context),
  ...statusRoutes(context),
  ...capacityRoutes(context),
  ...holdReadingRoutes(context),
  ...holdRoutes(context),
  ...scheduleRoutes(context),
  ...scheduleChangeRoutes(context),
];

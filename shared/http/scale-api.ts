import { capacityRoutes } from './capacity-routes.ts';
import { groupRoutes } from './group-routes.ts';
import type { Route } from './router.ts';
import type { ScaleContext } from './scale-context.ts';

/** Every operation of the scale API. */
export const scaleRoutes = (context: ScaleContext): readonly Route[] => [
  ...groupRoutes(context),
  ...capacityRoutes(context),
];

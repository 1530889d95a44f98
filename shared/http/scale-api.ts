import { capacityRoutes } from './capacity-routes.ts';
import { groupRoutes } from './group-routes.ts';
import type { Route } from './router.ts';
import type { ScaleWorld } from './scale-world.ts';

/** Every operation of the scale API. */
export const scaleRoutes = (world: ScaleWorld): readonly Route[] => [
  ...groupRoutes(world),
  ...capacityRoutes(world),
];

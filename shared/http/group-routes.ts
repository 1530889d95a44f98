import { seeNodes } from '../capacity/nodes-seen.ts';
import { viewGroup, viewGroupSummary } from './group-views.ts';
import { json } from './json-result.ts';
import type { Route } from './router.ts';
import { findManagedGroup, listManagedGroups, type ScaleWorld } from './scale-world.ts';
import { noQuery } from './schemas/parameters.ts';
import { readQuery } from './validate.ts';

/** GET /groups and GET /groups/{group}. A cluster that does not answer leaves the nodes unknown, with the reason. */
export const groupRoutes = (world: ScaleWorld): readonly Route[] => [
  {
    method: 'GET',
    path: '/groups',
    answer: async (call) => {
      readQuery(call, noQuery());
      const [groups, nodes] = await Promise.all([listManagedGroups(world), seeNodes(world.cluster)]);
      return json(200, { groups: groups.map((group) => viewGroupSummary(group, nodes)) });
    },
  },
  {
    method: 'GET',
    path: '/groups/{group}',
    answer: async (call, parameters) => {
      readQuery(call, noQuery());
      const group = await findManagedGroup(world, parameters.group);
      return json(200, viewGroup(group, await seeNodes(world.cluster)));
    },
  },
];

import { observeNodes } from '../capacity/observed-nodes.ts';
import { viewGroup, viewGroupSummary } from './group-views.ts';
import { json } from './json-result.ts';
import type { Route } from './router.ts';
import { findManagedGroup, listManagedGroups, type ScaleContext } from './scale-context.ts';
import { noQuery } from './schemas/parameters.ts';
import { readQuery } from './validate.ts';

/** GET /groups and GET /groups/{group}. If the cluster does not answer, the Nodes are unknown, with the reason. */
export const groupRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'GET',
    path: '/groups',
    answer: async (call) => {
      readQuery(call, noQuery());
      const [groups, nodes] = await Promise.all([
        listManagedGroups(context),
        observeNodes(context.cluster, context.onClusterFailure),
      ]);
      return json(200, { groups: groups.map((group) => viewGroupSummary(group, nodes)) });
    },
  },
  {
    method: 'GET',
    path: '/groups/{group}',
    answer: async (call, parameters) => {
      readQuery(call, noQuery());
      const group = await findManagedGroup(context, parameters.group);
      return json(200, viewGroup(group, await observeNodes(context.cluster, context.onClusterFailure)));
    },
  },
];

import { GroupsError } from '../capacity/groups.ts';
import { observeNodes } from '../capacity/observed-nodes.ts';
import { eksNodegroupOf } from '../groups/group.ts';
import { viewGroup, viewGroupSummary } from './group-views.ts';
import { json } from './json-result.ts';
import type { Route } from './router.ts';
import {
  findManagedGroup,
  listManagedGroups,
  type ManagedGroup,
  type ScaleContext,
} from './scale-context.ts';
import { noQuery } from './schemas/parameters.ts';
import { readQuery } from './validate.ts';

/** GET /groups and GET /groups/{group}. If the cluster does not answer, the Nodes are unknown, with the reason. */
export const groupRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'GET',
    path: '/groups',
    role: 'viewer',
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
    role: 'viewer',
    answer: async (call, parameters) => {
      readQuery(call, noQuery());
      const group = await findManagedGroup(context, parameters.group);
      const [nodes, nodegroup] = await Promise.all([
        observeNodes(context.cluster, context.onClusterFailure),
        observeNodegroup(context, group),
      ]);
      return json(200, viewGroup(group, nodes, nodegroup));
    },
  },
];

/** A group is shown although EKS cannot be asked, with the reason. */
async function observeNodegroup({ groups }: ScaleContext, group: ManagedGroup) {
  const names = eksNodegroupOf(group);
  if (names === undefined) return undefined;
  try {
    const state = await groups.readNodegroup(group);
    return state && { ...state, healthIssues: [...state.healthIssues] };
  } catch (error) {
    if (!(error instanceof GroupsError)) throw error;
    return { ...names, status: 'UNKNOWN', healthIssues: [], reason: error.message };
  }
}

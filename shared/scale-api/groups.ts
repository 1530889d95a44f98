import type * as z from 'zod/mini';
import { GroupsError } from '../capacity/groups.ts';
import { eksNodegroupOf } from '../groups/group.ts';
import { viewGroup, viewGroupSummary } from './group-views.ts';
import { type HttpResult, json } from './http-call.ts';
import { pageOf } from './paging.ts';
import type { RouteRequest } from './router.ts';
import {
  findManagedGroup,
  listManagedGroups,
  type ManagedGroup,
  readNodes,
  type ScaleContext,
} from './scale-context.ts';
import type { activityList } from './schemas/answers/group.ts';
import type { pageQuery } from './schemas/requests.ts';

/** If the API server does not respond, the Nodes are unknown, with the reason. */
export async function listGroups(context: ScaleContext): Promise<HttpResult> {
  const [groups, nodes] = await Promise.all([listManagedGroups(context), readNodes(context)]);
  return json(200, { groups: groups.map((group) => viewGroupSummary(group, nodes)) });
}

/** If the API server does not respond, the Nodes are unknown, with the reason. */
export async function getGroup(
  context: ScaleContext,
  { path }: Pick<RouteRequest<'group'>, 'path'>,
): Promise<HttpResult> {
  const group = await findManagedGroup(context, path.group);
  const [nodes, nodegroup] = await Promise.all([readNodes(context), readNodegroup(context, group)]);
  return json(200, viewGroup(group, nodes, nodegroup));
}

/** A group is returned even if EKS could not be read, with the reason. */
export async function readNodegroup({ groups }: Pick<ScaleContext, 'groups'>, group: ManagedGroup) {
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

/** A page of the scaling activities of a group. */
export async function listActivities(
  context: ScaleContext,
  { path, query }: RouteRequest<'group', typeof pageQuery>,
): Promise<HttpResult> {
  const { autoScalingGroupName } = await findManagedGroup(context, path.group);
  const found = await context.groups.listActivities({ autoScalingGroupName, ...pageOf(query) });
  const body: z.infer<typeof activityList> = { ...found, activities: [...found.activities] };
  return json(200, body);
}

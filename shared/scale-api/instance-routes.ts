import type * as z from 'zod/mini';
import { type Member, memberOf, membersOf, serves } from '../capacity/members.ts';
import { type ObservedNodes, observeNodes } from '../capacity/observed-nodes.ts';
import { findInstance } from './find-instance.ts';
import { viewMember } from './group-views.ts';
import { json } from './json-result.ts';
import { keyBefore, pageByKey } from './key-pages.ts';
import type { Route } from './router.ts';
import {
  findManagedGroup,
  listManagedGroups,
  type ManagedGroup,
  type ScaleContext,
} from './scale-context.ts';
import type { instanceList, instance as instanceSchema } from './schemas/answers/group.ts';
import { instancesQuery, type Page, pageOf } from './schemas/paging.ts';
import { noQuery } from './schemas/parameters.ts';
import { readQuery } from './validate.ts';

/** GET /instances: those of every managed group, or of one, with their Nodes. GET /instances/{instanceId}: one of them. */
export const instanceRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'GET',
    path: '/instances',
    role: 'viewer',
    answer: async (call) => {
      const query = readQuery(call, instancesQuery());
      const page = pageOf(query);
      const after = keyBefore(page);
      const [groups, nodes] = await Promise.all([
        query.group === undefined
          ? listManagedGroups(context)
          : findManagedGroup(context, query.group).then((group) => [group]),
        observeNodes(context.cluster, context.onClusterFailure),
      ]);
      return json(200, pageOfInstances({ groups, nodes, after, limit: page.limit }));
    },
  },
  {
    method: 'GET',
    path: '/instances/{instanceId}',
    role: 'viewer',
    answer: async (call, { instanceId = '' }) => {
      readQuery(call, noQuery());
      const [{ group, member }, nodes] = await Promise.all([
        findInstance(context, instanceId),
        observeNodes(context.cluster, context.onClusterFailure),
      ]);
      return json(200, viewInstance(group, memberOf(group, member, nodes)));
    },
  },
];

interface InstancesInput {
  readonly groups: readonly ManagedGroup[];
  readonly nodes: ObservedNodes;
  /** The last instance of the page before. */
  readonly after: string;
  readonly limit: Page['limit'];
}

function pageOfInstances({ groups, nodes, after, limit }: InstancesInput): z.infer<typeof instanceList> {
  const { items, nextCursor } = pageByKey(
    groups.flatMap((group) => group.instances.map(({ instanceId }) => ({ instanceId, group }))),
    { keyOf: ({ instanceId }) => instanceId, after, limit },
  );
  const members = new Map(
    [...new Set(items.map(({ group }) => group))]
      .flatMap((group) => membersOf(group, nodes))
      .map((member) => [member.instanceId, member]),
  );
  return {
    instances: items.flatMap(({ instanceId, group }) => {
      const member = members.get(instanceId);
      return member ? [viewInstance(group, member)] : [];
    }),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

const viewInstance = (
  { autoScalingGroupName }: ManagedGroup,
  member: Member,
): z.infer<typeof instanceSchema> => ({
  autoScalingGroupName,
  ...viewMember(member),
  serves: serves(member),
});

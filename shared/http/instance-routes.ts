import type * as z from 'zod/mini';
import { type Member, memberOf, membersOf, serves } from '../capacity/members.ts';
import { type ObservedNodes, observeNodes } from '../capacity/observed-nodes.ts';
import { findInstance } from './find-instance.ts';
import { viewMember } from './group-views.ts';
import { json } from './json-result.ts';
import { ProblemError } from './problem.ts';
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
      const after = page.cursor === undefined ? '' : instanceIdIn(page.cursor);
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
  /** The last instance of the page before. Instances that came or went meanwhile move no other to another page. */
  readonly after: string;
  readonly limit: Page['limit'];
}

function pageOfInstances({ groups, nodes, after, limit }: InstancesInput): z.infer<typeof instanceList> {
  const following = groups
    .flatMap((group) => group.instances.map(({ instanceId }) => ({ instanceId, group })))
    .filter(({ instanceId }) => instanceId > after)
    .sort((one, other) => (one.instanceId < other.instanceId ? -1 : 1));
  const shown = following.slice(0, limit);
  const last = shown.at(-1)?.instanceId;
  const members = new Map(
    [...new Set(shown.map(({ group }) => group))]
      .flatMap((group) => membersOf(group, nodes))
      .map((member) => [member.instanceId, member]),
  );
  return {
    instances: shown.flatMap(({ instanceId, group }) => {
      const member = members.get(instanceId);
      return member ? [viewInstance(group, member)] : [];
    }),
    ...(last !== undefined && following.length > limit && { nextCursor: cursorOf(last) }),
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

const cursorOf = (instanceId: string): string => Buffer.from(instanceId).toString('base64url');

/** @throws ProblemError for a cursor that no page has. */
function instanceIdIn(cursor: string): string {
  const instanceId = Buffer.from(cursor, 'base64url').toString();
  if (cursorOf(instanceId) === cursor) return instanceId;
  throw new ProblemError({
    code: 'invalid-parameter',
    detail: 'errors lists every wrong parameter',
    errors: [{ parameter: 'cursor', detail: 'is not the nextCursor of a page' }],
  });
}

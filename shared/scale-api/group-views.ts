import type * as z from 'zod/mini';
import { countMembers, type Member, type MemberNode, membersOf, serves } from '../capacity/members.ts';
import type { ObservedNodes } from '../capacity/observed-nodes.ts';
import type { ManagedGroup } from './scale-context.ts';
import type {
  group as groupSchema,
  groupSummary,
  instance as instanceSchema,
  member as memberSchema,
} from './schemas/answers/group.ts';

/** A group in one line, as GET /groups lists it. */
export function viewGroupSummary(group: ManagedGroup, nodes: ObservedNodes): z.infer<typeof groupSummary> {
  const { autoScalingGroupName, role, minSize, maxSize, desiredCapacity, countsUnits } = group;
  return {
    autoScalingGroupName,
    role,
    minSize,
    maxSize,
    desiredCapacity,
    ...(countsUnits && { countsUnits }),
    ...countMembers(membersOf(group, nodes), nodes),
  };
}

/** A group with its instances and their nodes. */
export const viewGroup = (
  group: ManagedGroup,
  nodes: ObservedNodes,
  nodegroup?: z.infer<typeof groupSchema>['nodegroup'],
): z.infer<typeof groupSchema> => ({
  ...viewGroupSummary(group, nodes),
  ...(nodegroup && { nodegroup }),
  members: membersOf(group, nodes).map(viewMember),
});

/** An instance of any group, as GET /instances lists it. */
export const viewInstance = (
  { autoScalingGroupName }: Pick<ManagedGroup, 'autoScalingGroupName'>,
  member: Member,
): z.infer<typeof instanceSchema> => ({
  autoScalingGroupName,
  ...viewMember(member),
  serves: serves(member),
});

/** An instance with its Node. */
export function viewMember(member: Member): z.infer<typeof memberSchema> {
  const { instanceId, lifecycleState, availabilityZone, healthy, node } = member;
  return { instanceId, lifecycleState, availabilityZone, healthy, node: viewNode(node) };
}

function viewNode(node: MemberNode): z.infer<typeof memberSchema>['node'] {
  if (node.status !== 'found' || node.leaving === undefined) return node;
  const { cause, since, until, waitingFor } = node.leaving;
  return { ...node, leaving: { cause, since, until, waitingFor } };
}

import type { Node } from 'kubernetes-types/core/v1.d.ts';
import {
  type AutoScalingGroup,
  clusterTag,
  type GroupInstance,
  isTagged,
  restoreTagsCommand,
} from '../groups/group.ts';
import type { Noted } from '../passes/steps.ts';
import type { Leaving, LeavingContext, LeavingSubject, NodeFound, Planned, Started } from './context.ts';
import { searchLikelyNode } from './find-node.ts';
import { recordEvent } from './notify.ts';

/**
 * The group of an instance that waits on its hooks, although its group is not managed any more: the group has lost a tag during the wait,
 * for example because Terraform removes tags that it did not set. The Node shows that the instance is one of this cluster.
 *
 * @returns undefined if there is no Node.
 */
export async function groupWithoutTags(
  context: LeavingContext,
  subject: LeavingSubject,
  { autoScalingGroupName }: GroupInstance,
): Promise<(Pick<Leaving, 'group' | 'isDenied'> & Noted) | undefined> {
  const node = await searchLikelyNode(context, subject);
  if (!node) return undefined;
  const { clusterName } = context.settings;
  const found = await context.autoScaling.describeGroup(autoScalingGroupName);
  const isDenied = found === undefined || !isTagged(found, clusterName);
  const group = found ?? unknownGroup(autoScalingGroupName);
  const key = isDenied ? clusterTag(clusterName) : 'drover.dev/role';
  const lost = `${autoScalingGroupName} has lost the tag ${key} during the wait`;
  return { group, isDenied, notes: [`${lost}: restore it with ${restoreTagsCommand(group, clusterName)}`] };
}

/** A group without the tag of the cluster is not listed, so only its name is known. */
const unknownGroup = (autoScalingGroupName: string): AutoScalingGroup => ({
  autoScalingGroupName,
  tags: {},
  minSize: 0,
  maxSize: 0,
  desiredCapacity: 0,
  instances: [],
  targetGroupArns: [],
  retainsAbandoned: false,
});

/** Reports when a wait ends whose group has lost the tag of the cluster, also as an Event once. */
export async function reportDeniedWait(
  context: LeavingContext,
  { plan, mark, node, notes, group }: Started & Leaving & Planned & NodeFound,
): Promise<object | Noted> {
  if (plan.waitEndsAt === undefined) return {};
  const end = new Date(plan.waitEndsAt).toISOString();
  const message = `AWS denies the heartbeats for ${group.autoScalingGroupName}, so the wait ends at ${end}`;
  if (mark?.waitEndsAt === undefined) recordLoss(context, node, [message, ...notes].join('; '));
  return { notes: [...notes, message] };
}

const recordLoss = (context: LeavingContext, node: Node, message: string): void =>
  recordEvent(context, node, { type: 'Warning', reason: 'TagsLost', message });

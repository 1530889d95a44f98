import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { LeavingMark } from '../nodes/leaving-mark.ts';
import type { NotificationFacts, NotificationKind } from '../notifications/notification.ts';
import type { LeavingContext, LeavingSubject } from './context.ts';
import type { LeavePlan } from './leave-plan.ts';

export interface NodeNews {
  readonly kind: NotificationKind;
  readonly node: Node;
  /** The part of the mark by which each pass over this leave knows it. */
  readonly mark: Pick<LeavingMark, 'instanceId' | 'since'> & Partial<Pick<LeavingMark, 'cause' | 'until'>>;
  /** What happened to the node: the rest of a sentence that begins with its name. */
  readonly what: string;
  readonly autoScalingGroupName?: string | undefined;
  readonly reasons?: readonly string[];
}

/** Tells people about a leaving node. True: EventBridge has it, and the mark may say so. */
export async function tell(context: Pick<LeavingContext, 'notify'>, news: NodeNews): Promise<boolean> {
  const { kind, node, mark, what } = news;
  const { name = '', uid = '' } = node.metadata ?? {};
  const result = await context.notify({
    kind,
    occurrence: `${uid}/${mark.since}`,
    message: `node ${name} ${what}`,
    facts: factsOf(news, name),
  });
  return result === 'sent';
}

const factsOf = ({ mark, autoScalingGroupName, reasons }: NodeNews, nodeName: string): NotificationFacts => ({
  ...(autoScalingGroupName !== undefined && { autoScalingGroupName }),
  instanceId: mark.instanceId,
  nodeName,
  ...(mark.cause !== undefined && { cause: mark.cause }),
  ...(mark.until !== undefined && { deadline: mark.until }),
  ...(reasons && { reasons }),
});

export interface LeaveBegun {
  readonly subject: Pick<LeavingSubject, 'notices'>;
  readonly plan: Pick<LeavePlan, 'cause'>;
  readonly node: Node;
  readonly mark: LeavingMark;
  readonly autoScalingGroupName: string;
}

/** Tells that a node leaves. The first notice names the occurrence: a pass that is killed before it writes the mark has no other time. */
export async function tellLeaving(
  context: Pick<LeavingContext, 'notify'>,
  { subject, plan: { cause }, node, mark, autoScalingGroupName }: LeaveBegun,
): Promise<boolean> {
  const noticedAt = Math.min(...subject.notices.map((notice) => Date.parse(notice.noticedAt)));
  const until = mark.until === undefined ? '' : `, by ${mark.until} at the latest`;
  return await tell(context, {
    kind: 'node-leaving',
    node,
    mark: { ...mark, since: new Date(noticedAt).toISOString() },
    what: `leaves (${cause})${until}`,
    autoScalingGroupName,
  });
}

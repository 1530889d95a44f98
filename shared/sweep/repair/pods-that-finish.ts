import type { TimerClock } from '../../base/clock.ts';
import { messageOf } from '../../base/message-of.ts';
import { sideBySide } from '../../base/side-by-side.ts';
import { isDenied } from '../../draining/cluster-failure.ts';
import { describeHold, disruptionHolds, lastHold } from '../../draining/disruption-annotations.ts';
import type { AutoScalingGroup } from '../../groups/group.ts';
import { leavingTags } from '../../groups/group-settings.ts';
import type { DrainCluster } from '../../nodes/cluster.ts';
import type { FailingNode } from './failing-nodes.ts';

/**
 * What the pods of a node that is still Ready say about its repair:
 * - `hold`: one of them asks to finish;
 * - `unknown`: they could not be listed;
 * - `denied`: the identity may not list pods, so what they ask for is not known and not honoured.
 */
export interface PodsVerdict {
  readonly kind: 'hold' | 'unknown' | 'denied';
  readonly reason: string;
}

export interface PodsContext {
  readonly cluster: Partial<Pick<DrainCluster, 'listPodsOnNode'>>;
  readonly clock: TimerClock;
  /** Defaults to a day. */
  readonly annotationTimeoutSeconds?: number;
}

/** Few nodes are due at a time. */
const limits = { atOnce: 5, eachMilliseconds: 8000, togetherMilliseconds: 20_000 };

/**
 * Reads the pods of the nodes that are due and still Ready. Their annotations are honoured until the timeout of the group has passed since a
 * node was due. A node that is not Ready is not asked for its pods: nothing there is certain to finish.
 *
 * @returns by the id of the instance; nothing for a node whose pods ask for nothing.
 */
export async function podsThatFinish(
  { cluster: { listPodsOnNode }, clock, annotationTimeoutSeconds = 86_400 }: PodsContext,
  groups: readonly AutoScalingGroup[],
  failing: readonly FailingNode[],
): Promise<ReadonlyMap<string, PodsVerdict>> {
  const now = clock.now();
  if (!listPodsOnNode) return new Map();
  const timeouts = new Map(
    groups.map(({ autoScalingGroupName, tags }) => [autoScalingGroupName, timeoutOf(tags)]),
  );
  const due = failing.filter(({ isStillReady, dueAt }) => isStillReady && dueAt <= now);
  const read = await sideBySide(due, ({ name }) => listPodsOnNode(name, 'cached'), { clock, ...limits });
  const verdicts = read.flatMap((result) => {
    const { member, dueAt, autoScalingGroupName } = result.item;
    if (result.status === 'rejected') return [[member.instanceId, unread(result.reason)] as const];
    const timeoutSeconds = timeouts.get(autoScalingGroupName) ?? annotationTimeoutSeconds;
    const hold = lastHold(disruptionHolds(result.value, { since: dueAt, timeoutSeconds }), now);
    return hold ? [[member.instanceId, { kind: 'hold', reason: describeHold(hold) }] as const] : [];
  });
  return new Map<string, PodsVerdict>(verdicts);
}

const timeoutTagKey = 'drover.dev/annotation-timeout';

const timeoutOf = (tags: AutoScalingGroup['tags']): number | undefined =>
  leavingTags[timeoutTagKey]?.read(tags[timeoutTagKey] ?? '')?.annotationTimeoutSeconds;

const unread = (error: unknown): PodsVerdict => ({
  kind: isDenied(error) ? 'denied' : 'unknown',
  reason: `its pods could not be listed: ${messageOf(error)}`,
});

import type { Clock } from '../base/clock.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import { type AutoScalingGroup, findLaunchingHook, isManaged, type LifecycleHook } from '../groups/group.ts';
import { isPendingWait } from '../groups/lifecycle-state.ts';
import { type JoiningNotice, joiningMessage } from '../joining/message.ts';
import type { SendBatch } from '../passes/queue.ts';

export interface LaunchSweepContext {
  readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeHooks'>;
  readonly clock: Clock;
  /** The queue of joining nodes. */
  readonly send: SendBatch;
  readonly clusterName: string;
  readonly joiningHookName: string;
}

interface LaunchSweepReport {
  readonly sent: number;
  /** What could not be read or sent. The next sweep tries again. */
  readonly failures: readonly unknown[];
}

/**
 * Sends every instance that waits on our launching hook to the queue of joining nodes, in case its event was lost. A joining instance has
 * no Node that could show whether it has passes, and a repeated message is absorbed.
 *
 * @throws if the groups cannot be listed.
 */
export async function sweepLaunches(context: LaunchSweepContext): Promise<LaunchSweepReport> {
  const { autoScaling, clock, clusterName } = context;
  const waiting = (await autoScaling.listGroups(clock.now())).filter(
    (group) => isManaged(group, clusterName) && group.instances.some(isPendingWait),
  );
  const read = await Promise.allSettled(
    waiting.map(async (group) =>
      noticesOf(context, group, await autoScaling.describeHooks(group.autoScalingGroupName)),
    ),
  );
  const notices = read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const sentAt = new Date(clock.now()).toISOString();
  const unsent =
    notices.length > 0 ? await context.send(notices.map((notice) => joiningMessage(notice, sentAt))) : [];
  return {
    sent: notices.length - unsent.length,
    failures: [
      ...read.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])),
      ...unsent.map(({ error }) => error),
    ],
  };
}

function noticesOf(
  { clock, joiningHookName: lifecycleHookName }: LaunchSweepContext,
  { autoScalingGroupName, instances }: AutoScalingGroup,
  hooks: readonly LifecycleHook[],
): readonly JoiningNotice[] {
  if (!findLaunchingHook(hooks, lifecycleHookName)) return [];
  const noticedAt = new Date(clock.now()).toISOString();
  return instances.filter(isPendingWait).map(({ instanceId }) => ({
    cause: 'swept',
    instanceId,
    noticedAt,
    hook: { autoScalingGroupName, lifecycleHookName },
  }));
}

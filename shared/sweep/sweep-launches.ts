import type { TimerClock } from '../base/clock.ts';
import { failuresOf, type ItemFailure, type Silence, sideBySide, valuesOf } from '../base/side-by-side.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import { type AutoScalingGroup, findLaunchingHook, isManaged, type LifecycleHook } from '../groups/group.ts';
import { isPendingWait } from '../groups/lifecycle-state.ts';
import { foundWait, type HeartbeatRequest, requestHeartbeats } from '../heartbeats/request.ts';
import { type JoiningNotice, joiningMessage } from '../joining/message.ts';
import type { SendBatch } from '../passes/queue.ts';
import { unsentOf } from './sweep.ts';

export interface LaunchSweepContext {
  readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeHooks'>;
  readonly clock: TimerClock;
  /** The queue of joining nodes. */
  readonly send: SendBatch;
  /** The queue of heartbeats. */
  readonly sendHeartbeats: SendBatch;
  readonly clusterName: string;
  readonly joiningHookName: string;
  /** Remembers the groups whose hooks were not read, so that the next sweep begins with them. */
  readonly silence?: Silence<AutoScalingGroup>;
}

interface LaunchSweepReport {
  readonly sent: number;
  /** What could not be read or sent. The next sweep tries again. */
  readonly failures: readonly ItemFailure[];
}

/**
 * Sends every instance that waits on our launching hook to the queue of joining nodes, in case its event was lost. A joining instance has
 * no Node that could show whether it has passes, and a repeated message is absorbed. If the hooks of a group cannot be read, every instance of
 * it that waits is sent: the passes read the hooks themselves, and a lost wait cannot be restored.
 *
 * @throws if the groups cannot be listed.
 */
export async function sweepLaunches(context: LaunchSweepContext): Promise<LaunchSweepReport> {
  const { autoScaling, clock, clusterName } = context;
  const waiting = (await autoScaling.listGroups(clock.now())).filter(
    (group) => isManaged(group, clusterName) && group.instances.some(isPendingWait),
  );
  const read = await sideBySide(waiting, (group) => autoScaling.describeHooks(group.autoScalingGroupName), {
    clock,
    atOnce: 10,
    eachMilliseconds: 8000,
    togetherMilliseconds: 20_000,
    ...(context.silence && { silence: context.silence }),
  });
  const hooks = valuesOf(read);
  const waits = waiting.flatMap((group) => waitsOf(context, group, hooks.get(group)));
  const notices = waits.map(({ notice }) => notice);
  const requests = waits.map(({ heartbeats }) => heartbeats);
  const withoutHeartbeats = await requestHeartbeats(requests, {
    send: context.sendHeartbeats,
    clock,
  });
  const sentAt = new Date(clock.now()).toISOString();
  const unsent =
    notices.length > 0 ? await context.send(notices.map((notice) => joiningMessage(notice, sentAt))) : [];
  return {
    sent: notices.length - unsent.length,
    failures: [
      ...failuresOf(read, ({ autoScalingGroupName }) => `the hooks of group ${autoScalingGroupName}`),
      ...unsentOf(withoutHeartbeats, (index) => `the heartbeats of ${requests[index]?.action.instanceId}`),
      ...unsentOf(unsent, (index) => `the pass over ${notices[index]?.instanceId}`),
    ],
  };
}

function waitsOf(
  { clock, joiningHookName: lifecycleHookName }: LaunchSweepContext,
  { autoScalingGroupName, instances }: AutoScalingGroup,
  hooks: readonly LifecycleHook[] | undefined,
): readonly { readonly notice: JoiningNotice; readonly heartbeats: HeartbeatRequest }[] {
  const found = findLaunchingHook(hooks, lifecycleHookName);
  if (hooks && !found) return [];
  const now = clock.now();
  const noticedAt = new Date(now).toISOString();
  const hook = { autoScalingGroupName, lifecycleHookName };
  return instances.filter(isPendingWait).map(({ instanceId }) => ({
    notice: { cause: 'swept', instanceId, noticedAt, hook, hasHeartbeats: true },
    heartbeats: foundWait(
      { action: { instanceId, ...hook }, transition: 'launching' },
      { now, heartbeatTimeoutSeconds: found?.heartbeatTimeoutSeconds },
    ),
  }));
}

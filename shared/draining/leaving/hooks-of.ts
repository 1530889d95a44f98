import type { LifecycleHook } from '../../lifecycle/group.ts';
import { pauseOf } from '../../lifecycle/pause.ts';
import { leavesAlone } from './alone.ts';
import type { Sight } from './sight.ts';
import type { LeavingSubject, LeavingWorld } from './world.ts';

/** The least that AWS takes (API reference, PutLifecycleHook), and how long any wait lasts with it: 100 times, less a margin. */
const shortestHeartbeatTimeoutSeconds = 30;
const everyWaitLastsSeconds = 2900;
/** The most, whatever the heartbeats (user guide, "How lifecycle hooks work"). */
const longestGlobalTimeoutSeconds = 172_800;

export interface HooksInput extends Pick<Sight, 'group' | 'settings'> {
  readonly waits: boolean;
  /** When the Node was first marked as leaving, if it is, in epoch milliseconds. */
  readonly markedSince?: number;
}

/**
 * The hooks of the group of an instance that leaves. What ours says does not matter yet to a wait that has just begun: no
 * heartbeat is due before a third of the shortest timeout, and the drain timeout ends before the shortest wait. So who leaves
 * alone and is gone by then does not ask, and our hook stands there at its bounds: beating as often, and lasting as
 * long, as any hook can.
 *
 * @throws what Auto Scaling answered when it was asked.
 */
export async function hooksOf(
  world: LeavingWorld,
  subject: LeavingSubject,
  input: HooksInput,
): Promise<readonly LifecycleHook[]> {
  if (hasOnlyBegun(world, subject, input)) return [atItsBounds(world.settings.leavingHookName)];
  return await world.autoScaling.describeHooks(input.group?.autoScalingGroupName ?? '');
}

function hasOnlyBegun(
  { clock, settings: { leavingHookName } }: LeavingWorld,
  { instanceId, notices }: LeavingSubject,
  { waits, group, settings, markedSince = Infinity }: HooksInput,
): boolean {
  if (!waits || !group || pauseOf(group.tags) || !leavesAlone(group, instanceId)) return false;
  if (settings.drainTimeoutSeconds > everyWaitLastsSeconds) return false;
  const told = notices.filter(
    ({ cause, hook }) => cause === 'terminating' && hook?.lifecycleHookName === leavingHookName,
  );
  const since = Math.min(markedSince, ...told.map(({ noticedAt }) => Date.parse(noticedAt)));
  const firstBeatAt = since + (shortestHeartbeatTimeoutSeconds / 3) * 1000;
  return told.length === notices.length && clock.now() < firstBeatAt;
}

const atItsBounds = (lifecycleHookName: string): LifecycleHook => ({
  lifecycleHookName,
  transition: 'terminating',
  heartbeatTimeoutSeconds: shortestHeartbeatTimeoutSeconds,
  globalTimeoutSeconds: longestGlobalTimeoutSeconds,
  defaultResult: 'CONTINUE',
});

import type { Clock } from '../base/clock.ts';
import type { ManagedGroups } from '../groups/managed-groups.ts';
import { joiningMessage } from '../joining/message.ts';
import type { SendBatch } from '../passes/queue.ts';
import type { EventMeaning, LaunchAction } from './events/meaning.ts';
import { sendWakeUps, type Wait, type WakeUps } from './wake-ups.ts';

export interface JoiningIntake {
  readonly joiningHookName: string;
  /** The queue of joining nodes. */
  readonly send: SendBatch;
}

/** An instance that waits on our hook for joining nodes. */
export interface JoiningWait extends Wait {
  readonly cause: 'launching';
  readonly launch: LaunchAction;
}

/** The join that an event tells of; undefined for every other event. */
export function joiningWaitOf(
  key: string,
  meaning: EventMeaning,
  { joiningHookName }: JoiningIntake,
): JoiningWait | undefined {
  if (meaning.kind !== 'joining' || meaning.launch.lifecycleHookName !== joiningHookName) return undefined;
  const { what, launch } = meaning;
  const { instanceId, autoScalingGroupName } = launch;
  return { key, what, cause: 'launching', instanceId, autoScalingGroupName, launch };
}

/** Sends each launch of a managed group once to the queue of joining nodes. Never rejects: what failed is told by its key. */
export async function wakeJoining(
  waits: readonly JoiningWait[],
  { send }: JoiningIntake,
  { clock, groups }: { readonly clock: Clock; readonly groups: ManagedGroups },
): Promise<WakeUps<JoiningWait>> {
  const sentAt = new Date(clock.now()).toISOString();
  return await sendWakeUps(waits, {
    groups,
    send,
    toMessage: ({ launch }) => toMessage(launch, sentAt),
    concerns: () => true,
    unsent: 'the launch could not be sent',
  });
}

const toMessage = (launch: LaunchAction, sentAt: string) => {
  const { autoScalingGroupName, lifecycleHookName, lifecycleActionToken, ...rest } = launch;
  const hook = {
    autoScalingGroupName,
    lifecycleHookName,
    ...(lifecycleActionToken && { lifecycleActionToken }),
  };
  return joiningMessage({ cause: 'launching', ...rest, hook }, sentAt);
};

import type { Role } from '../groups/group.ts';
import type { ManagedGroups } from '../groups/managed-groups.ts';
import type { OutgoingMessage, SendBatch } from '../passes/queue.ts';
import type { LeftAlone } from './report.ts';

/** An instance whose event names its group, and that wakes the passes of another queue than that of leaving nodes. */
export interface Wait {
  readonly key: string;
  readonly what: string;
  readonly cause: string;
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
}

export interface WakeUps<OneWait extends Wait> {
  readonly sent: readonly OneWait[];
  readonly leftAlone: readonly LeftAlone[];
  readonly failed: readonly (readonly [string, Error])[];
}

export interface WakeUpOptions<OneWait extends Wait> {
  readonly groups: Pick<ManagedGroups, 'managedRoleOf'>;
  readonly send: SendBatch;
  readonly toMessage: (wait: OneWait) => OutgoingMessage;
  /** Whether a group of this role has what the passes of the queue are about. */
  readonly concerns: (wait: OneWait, role: Role) => boolean;
  /** What has failed where a message could not be sent. */
  readonly unsent: string;
}

/** Sends each wait of a managed group to a queue. Never rejects: what failed is told by its key. */
export async function sendWakeUps<OneWait extends Wait>(
  waits: readonly OneWait[],
  { groups, send, toMessage, concerns, unsent }: WakeUpOptions<OneWait>,
): Promise<WakeUps<OneWait>> {
  const judged = await Promise.all(waits.map(async (wait) => ({ wait, role: await readRole(wait, groups) })));
  const ours = judged
    .filter(({ wait, role }) => typeof role === 'string' && concerns(wait, role))
    .map(({ wait }) => wait);
  const failures = ours.length > 0 ? await send(ours.map(toMessage)) : [];
  const causes = new Map(failures.map(({ index, error }) => [index, error]));
  return {
    sent: ours.filter((_, index) => !causes.has(index)),
    leftAlone: judged.flatMap(({ wait, role }) => (role === undefined ? [foreign(wait)] : [])),
    failed: [
      ...judged.flatMap(({ wait, role }) => (role instanceof Error ? [[wait.key, role] as const] : [])),
      ...ours.flatMap((wait, index) => {
        const cause = causes.get(index);
        return cause ? [[wait.key, new Error(unsent, { cause })] as const] : [];
      }),
    ],
  };
}

const foreign = ({ what, instanceId, autoScalingGroupName }: Wait): LeftAlone => ({
  what,
  reason: `the group ${autoScalingGroupName} of ${instanceId} is not managed by this cluster`,
});

async function readRole(
  { autoScalingGroupName, instanceId }: Wait,
  groups: Pick<ManagedGroups, 'managedRoleOf'>,
): Promise<Role | undefined | Error> {
  try {
    return await groups.managedRoleOf(autoScalingGroupName);
  } catch (cause) {
    return new Error(`the group of ${instanceId} is not known`, { cause });
  }
}

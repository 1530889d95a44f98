import type { Clock } from '../base/clock.ts';
import type { EtcdNotice } from '../etcd/message.ts';
import { wakeUpMessage } from '../etcd/wake-up-message.ts';
import type { Role } from '../groups/group.ts';
import { joiningMessage } from '../joining/message.ts';
import type { OutgoingMessage, SendBatch } from '../passes/queue.ts';
import type { EventMeaning, LaunchAction } from './events/meaning.ts';
import type { LeftAlone } from './intake-report.ts';
import type { ManagedGroups, MembershipVerdict } from './membership.ts';

/** An instance that wakes passes of another queue than that of leaving nodes. Its event names its group. */
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

interface WakeUpOptions<OneWait extends Wait> {
  readonly groups: Pick<ManagedGroups, 'managedRoleOf'>;
  readonly send: SendBatch;
  readonly toMessage: (wait: OneWait) => OutgoingMessage;
  /** Whether the passes of the queue are about groups of this role. */
  readonly concerns: (wait: OneWait, role: Role) => boolean;
  /** The error if a message could not be sent. */
  readonly unsent: string;
}

/** Sends each wait of a managed group to a queue. Never rejects: `failed` has the keys of those that failed. */
async function sendWakeUps<OneWait extends Wait>(
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
    return new Error(`the group of ${instanceId} could not be looked up`, { cause });
  }
}

type OurVerdict = Extract<MembershipVerdict, { readonly kind: 'ours' }>;

/** The etcd cluster that this deployment manages. Its waits wake the passes over its zone. */
export interface EtcdIntake {
  readonly domain: string;
  readonly etcdHookName: string;
  readonly etcdLaunchHookName: string;
  /** The queue of etcd zones. */
  readonly send: SendBatch;
}

/** An instance that waits on one of our etcd hooks, or that EC2 takes. */
export interface EtcdWait extends Wait {
  readonly cause: 'launching' | 'terminating' | 'taken';
  readonly lifecycleActionToken?: string;
  /** When EC2 takes the instance. */
  readonly deadline?: string;
  /** The warning counts only if EC2 calls the instance a Spot Instance. */
  readonly spotOnly?: true;
}

/** The wait on an etcd hook that an event reports; undefined for any other event. */
export function etcdWaitOf(key: string, meaning: EventMeaning, etcd: EtcdIntake): EtcdWait | undefined {
  const { what } = meaning;
  if (meaning.kind === 'joining') {
    const { lifecycleHookName, destination, ...launch } = meaning.launch;
    const isMember = lifecycleHookName === etcd.etcdLaunchHookName && destination !== 'WarmPool';
    return isMember ? { key, what, cause: 'launching', ...launch } : undefined;
  }
  const [notice] = meaning.kind === 'leaving' ? meaning.notices : [];
  if (notice?.hook?.lifecycleHookName !== etcd.etcdHookName) return undefined;
  return { key, what, cause: 'terminating', instanceId: notice.instanceId, ...notice.hook };
}

/** An instance that EC2 takes at a set time, with or without hooks; undefined for any other notice. */
export function etcdTakenOf({ candidate, autoScalingGroupName }: OurVerdict): EtcdWait | undefined {
  const { key, what, notice } = candidate;
  const { cause, deadline, instanceId } = notice;
  if (!deadline || (cause !== 'spot-interruption' && cause !== 'capacity-reservation')) return undefined;
  const spot = cause === 'spot-interruption' ? ({ spotOnly: true } as const) : {};
  return { key, what, cause: 'taken', instanceId, autoScalingGroupName, deadline, ...spot };
}

/** Sends each wait of a managed group once to the queue of zones. Never rejects: `failed` has the keys of those that failed. */
export async function wakeEtcd(
  waits: readonly EtcdWait[],
  etcd: EtcdIntake,
  { clock, groups }: { readonly clock: Clock; readonly groups: ManagedGroups },
): Promise<WakeUps<EtcdWait>> {
  const noticedAt = new Date(clock.now()).toISOString();
  return await sendWakeUps(waits, {
    groups,
    send: etcd.send,
    toMessage: (wait) => zoneMessage(wait, etcd, noticedAt),
    // EC2 also takes instances of workers, which are not members of etcd.
    concerns: ({ cause }, role) => cause !== 'taken' || role !== 'worker',
    unsent: 'the zone could not be woken',
  });
}

function zoneMessage(wait: EtcdWait, { domain }: EtcdIntake, noticedAt: string) {
  const { cause, instanceId, lifecycleActionToken, deadline, spotOnly } = wait;
  const notice: EtcdNotice = {
    cause,
    domain,
    noticedAt,
    instanceId,
    ...(deadline && { deadline }),
    ...(spotOnly && { spotOnly }),
  };
  return wakeUpMessage(notice, {
    key: lifecycleActionToken ?? `${instanceId} ${deadline ?? noticedAt}`,
    sentAt: noticedAt,
  });
}

export interface JoiningIntake {
  readonly joiningHookName: string;
  /** The queue of joining nodes. */
  readonly send: SendBatch;
}

/** An instance that waits on our hook for joining nodes. */
interface JoiningWait extends Wait {
  readonly cause: 'launching';
  readonly launch: LaunchAction;
}

/** The wait on our joining hook that an event reports; undefined for any other event. */
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

/** Sends each launch of a managed group once to the queue of joining nodes. Never rejects: `failed` has the keys of those that failed. */
export async function wakeJoining(
  waits: readonly JoiningWait[],
  { send }: JoiningIntake,
  { clock, groups }: { readonly clock: Clock; readonly groups: ManagedGroups },
): Promise<WakeUps<JoiningWait>> {
  const sentAt = new Date(clock.now()).toISOString();
  return await sendWakeUps(waits, {
    groups,
    send,
    toMessage: ({ launch }) => launchMessage(launch, sentAt),
    concerns: () => true,
    unsent: 'the launch could not be sent',
  });
}

const launchMessage = (launch: LaunchAction, sentAt: string) => {
  const { autoScalingGroupName, lifecycleHookName, lifecycleActionToken, ...rest } = launch;
  const hook = {
    autoScalingGroupName,
    lifecycleHookName,
    ...(lifecycleActionToken && { lifecycleActionToken }),
  };
  return joiningMessage({ cause: 'launching', ...rest, hook }, sentAt);
};

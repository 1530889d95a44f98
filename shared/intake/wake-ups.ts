import type { Clock } from '../base/clock.ts';
import type { EtcdNotice } from '../etcd/message.ts';
import { wakeUpMessage } from '../etcd/wake-up-message.ts';
import type { Role } from '../groups/group.ts';
import type { HeartbeatRequest, RequestHeartbeats } from '../heartbeats/request.ts';
import { joiningMessage } from '../joining/message.ts';
import type { OutgoingMessage, SendBatch } from '../passes/queue.ts';
import type { EventMeaning } from './events/meaning.ts';
import type { LeftAlone } from './intake-report.ts';
import type { ManagedGroups, MembershipVerdict } from './membership.ts';

/** An instance that wakes passes of another queue than that of leaving nodes. Its event names its group. */
export interface Wait {
  readonly key: string;
  readonly what: string;
  readonly cause: 'launching' | 'terminating' | 'taken';
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
}

/** A wait with the message that wakes the passes of its queue. */
interface WakeUp extends Wait {
  readonly queue: WakeUpQueue;
  /** The message, if it is sent at this time (ISO 8601 in UTC). */
  readonly message: (sentAt: string) => OutgoingMessage;
  /** The heartbeats that the wait needs; absent if no hook holds the instance. */
  readonly heartbeats?: HeartbeatRequest;
  /** The passes of the queue are not about groups of this role. */
  readonly exceptRole?: Role;
}

interface WakeUpQueue {
  readonly send: SendBatch;
}

/** The etcd cluster that this deployment manages. Its waits wake the passes over its zone. */
export interface EtcdIntake extends WakeUpQueue {
  readonly domain: string;
  readonly etcdHookName: string;
  readonly etcdLaunchHookName: string;
}

export interface JoiningIntake extends WakeUpQueue {
  readonly joiningHookName: string;
}

/** The wait on an etcd hook that an event reports; undefined for any other event. */
export function etcdWaitOf(key: string, meaning: EventMeaning, etcd: EtcdIntake): WakeUp | undefined {
  const { what } = meaning;
  if (meaning.kind === 'joining') {
    const { lifecycleHookName, destination, ...launch } = meaning.launch;
    const isMember = lifecycleHookName === etcd.etcdLaunchHookName && destination !== 'WarmPool';
    if (!isMember) return undefined;
    const wakeUp = zoneWakeUp(etcd, { key, what, cause: 'launching', ...launch });
    return { ...wakeUp, heartbeats: launchHeartbeats(meaning.launch) };
  }
  const [notice] = meaning.kind === 'leaving' ? meaning.notices : [];
  if (notice?.hook?.lifecycleHookName !== etcd.etcdHookName) return undefined;
  const { hook, instanceId } = notice;
  const wakeUp = zoneWakeUp(etcd, { key, what, cause: 'terminating', instanceId, ...hook });
  const action = { instanceId, ...hook };
  return {
    ...wakeUp,
    heartbeats: { action, transition: 'terminating', noticedAt: Date.parse(notice.noticedAt) },
  };
}

type Launch = Extract<EventMeaning, { readonly kind: 'joining' }>['launch'];

const launchHeartbeats = ({
  autoScalingGroupName,
  lifecycleHookName,
  lifecycleActionToken,
  instanceId,
  noticedAt,
}: Launch): HeartbeatRequest => ({
  action: {
    autoScalingGroupName,
    lifecycleHookName,
    instanceId,
    ...(lifecycleActionToken && { lifecycleActionToken }),
  },
  transition: 'launching',
  noticedAt: Date.parse(noticedAt),
});

/** An instance that EC2 takes at a set time, with or without hooks; undefined for any other notice. */
export function etcdTakenOf(
  { candidate, autoScalingGroupName }: Extract<MembershipVerdict, { readonly kind: 'ours' }>,
  etcd: EtcdIntake,
): WakeUp | undefined {
  const { key, what, notice } = candidate;
  const { cause, deadline, instanceId } = notice;
  if (!deadline || (cause !== 'spot-interruption' && cause !== 'capacity-reservation')) return undefined;
  const wait = { key, what, cause: 'taken', instanceId, autoScalingGroupName, deadline } as const;
  const wakeUp = zoneWakeUp(etcd, wait, {
    warning: cause,
    ...(cause === 'spot-interruption' && { spotOnly: true }),
  });
  // EC2 also takes instances of workers, which are not members of etcd.
  return { ...wakeUp, exceptRole: 'worker' };
}

function zoneWakeUp(
  queue: EtcdIntake,
  wait: Wait & { readonly lifecycleActionToken?: string | undefined; readonly deadline?: string },
  warned: Pick<EtcdNotice, 'warning' | 'spotOnly'> = {},
): WakeUp {
  const { cause, instanceId, lifecycleActionToken, deadline } = wait;
  const { warning = '' } = warned;
  return {
    ...wait,
    queue,
    message: (sentAt) =>
      wakeUpMessage(
        {
          cause,
          domain: queue.domain,
          noticedAt: sentAt,
          instanceId,
          ...(deadline && { deadline }),
          ...warned,
        },
        { key: lifecycleActionToken ?? `${instanceId} ${deadline ?? sentAt} ${warning}`.trim(), sentAt },
      ),
  };
}

/** The wait on our joining hook that an event reports; undefined for any other event. */
export function joiningWaitOf(key: string, meaning: EventMeaning, queue: JoiningIntake): WakeUp | undefined {
  if (meaning.kind !== 'joining' || meaning.launch.lifecycleHookName !== queue.joiningHookName)
    return undefined;
  const { autoScalingGroupName, lifecycleHookName, lifecycleActionToken, ...launch } = meaning.launch;
  const token = lifecycleActionToken && { lifecycleActionToken };
  const notice = {
    cause: 'launching',
    ...launch,
    hook: { autoScalingGroupName, lifecycleHookName, ...token },
    hasHeartbeats: true,
  } as const;
  return {
    key,
    what: meaning.what,
    cause: 'launching',
    instanceId: launch.instanceId,
    autoScalingGroupName,
    queue,
    message: (sentAt) => joiningMessage(notice, sentAt),
    heartbeats: launchHeartbeats(meaning.launch),
  };
}

interface WakeUps {
  readonly sent: readonly Wait[];
  readonly leftAlone: readonly LeftAlone[];
  readonly failed: readonly (readonly [string, Error])[];
}

interface WakeUpContext {
  readonly clock: Clock;
  readonly requestHeartbeats: RequestHeartbeats;
  readonly groups: Pick<ManagedGroups, 'managedRoleOf'>;
}

/** Sends each wait of a managed group to its queue. Never rejects: `failed` has the keys of those that failed. */
export async function sendWakeUps(wakeUps: readonly WakeUp[], context: WakeUpContext): Promise<WakeUps> {
  const queues = Map.groupBy(wakeUps, ({ queue }) => queue);
  const results = await Promise.all([...queues].map(([queue, same]) => sendTo(queue, same, context)));
  return {
    sent: results.flatMap(({ sent }) => sent),
    leftAlone: results.flatMap(({ leftAlone }) => leftAlone),
    failed: results.flatMap(({ failed }) => failed),
  };
}

async function sendTo(
  { send }: WakeUpQueue,
  wakeUps: readonly WakeUp[],
  { clock, groups, requestHeartbeats }: WakeUpContext,
): Promise<WakeUps> {
  const sentAt = new Date(clock.now()).toISOString();
  const judged = await Promise.all(
    wakeUps.map(async (wakeUp) => ({ wakeUp, role: await readRole(wakeUp, groups) })),
  );
  const ours = judged.flatMap(({ wakeUp, role }) =>
    typeof role === 'string' && role !== wakeUp.exceptRole ? [wakeUp] : [],
  );
  const held = ours.flatMap(({ key, heartbeats }) => (heartbeats ? [{ key, heartbeats }] : []));
  const withoutHeartbeats = await requestHeartbeats(held.map(({ heartbeats }) => heartbeats));
  const failures = ours.length > 0 ? await send(ours.map(({ message }) => message(sentAt))) : [];
  const causes = new Map(failures.map(({ index, error }) => [index, error]));
  return {
    sent: ours.filter((_, index) => !causes.has(index)),
    leftAlone: judged.flatMap(({ wakeUp, role }) => (role === undefined ? [foreign(wakeUp)] : [])),
    failed: [
      ...withoutHeartbeats.map(({ index, error: cause }) => {
        const error = new Error('the heartbeats of the wait could not be requested', { cause });
        return [held[index]?.key ?? '', error] as const;
      }),
      ...judged.flatMap(({ wakeUp, role }) => (role instanceof Error ? [[wakeUp.key, role] as const] : [])),
      ...ours.flatMap(({ key }, index) => {
        const cause = causes.get(index);
        return cause ? [[key, new Error('the wait could not be sent', { cause })] as const] : [];
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

import type { Clock } from '../base/clock.ts';
import type { EtcdNotice } from '../etcd/message.ts';
import { wakeUpMessage } from '../etcd/wake-up-message.ts';
import type { ManagedGroups } from '../groups/managed-groups.ts';
import type { SendBatch } from '../passes/queue.ts';
import type { EventMeaning } from './events/meaning.ts';
import type { MembershipVerdict } from './membership.ts';
import { sendWakeUps, type Wait, type WakeUps } from './wake-ups.ts';

type OurVerdict = Extract<MembershipVerdict, { readonly kind: 'ours' }>;

/** The etcd that this deployment looks after: whose waits wake the passes over its zone. */
export interface EtcdIntake {
  readonly domain: string;
  readonly etcdHookName: string;
  readonly etcdLaunchHookName: string;
  /** The queue of etcd zones. */
  readonly send: SendBatch;
}

/** An instance that waits on one of our hooks for etcd, or that EC2 takes. */
export interface EtcdWait extends Wait {
  readonly cause: 'launching' | 'terminating' | 'taken';
  readonly lifecycleActionToken?: string;
  /** When EC2 takes the instance. */
  readonly deadline?: string;
  /** The warning counts only if EC2 calls the instance a Spot Instance. */
  readonly spotOnly?: true;
}

/** The wait for etcd that an event tells of; undefined for every other event. */
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

/** EC2 takes the instance at a time that it has set, whatever hooks there are; undefined for every other notice. */
export function etcdTakenOf({ candidate, autoScalingGroupName }: OurVerdict): EtcdWait | undefined {
  const { key, what, notice } = candidate;
  const { cause, deadline, instanceId } = notice;
  if (!deadline || (cause !== 'spot-interruption' && cause !== 'capacity-reservation')) return undefined;
  const spot = cause === 'spot-interruption' ? ({ spotOnly: true } as const) : {};
  return { key, what, cause: 'taken', instanceId, autoScalingGroupName, deadline, ...spot };
}

/** Sends each wait of a managed group once to the queue of zones. Never rejects: what failed is told by its key. */
export async function wakeEtcd(
  waits: readonly EtcdWait[],
  etcd: EtcdIntake,
  { clock, groups }: { readonly clock: Clock; readonly groups: ManagedGroups },
): Promise<WakeUps<EtcdWait>> {
  const noticedAt = new Date(clock.now()).toISOString();
  return await sendWakeUps(waits, {
    groups,
    send: etcd.send,
    toMessage: (wait) => toMessage(wait, etcd, noticedAt),
    // EC2 takes instances of workers too, which are no members of etcd.
    concerns: ({ cause }, role) => cause !== 'taken' || role !== 'worker',
    unsent: 'the zone could not be woken',
  });
}

function toMessage(wait: EtcdWait, { domain }: EtcdIntake, noticedAt: string) {
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

import type { Clock } from '../../base/clock.ts';
import type { EtcdNotice } from '../../etcd/message.ts';
import { wakeUpMessage } from '../../etcd/wake-up-message.ts';
import type { EventMeaning } from '../events/meaning.ts';
import type { ManagedGroups } from '../managed-groups.ts';
import type { SendBatch } from '../queue.ts';
import type { MembershipVerdict } from './membership.ts';
import type { LeftAlone } from './report.ts';

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
export interface EtcdWait {
  readonly key: string;
  readonly what: string;
  readonly cause: 'launching' | 'terminating' | 'taken';
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  readonly lifecycleActionToken?: string;
  /** When EC2 takes the instance. */
  readonly deadline?: string;
  /** The warning counts only if EC2 calls the instance a Spot Instance. */
  readonly spotOnly?: true;
}

export interface EtcdWakeUps {
  readonly sent: readonly EtcdWait[];
  readonly leftAlone: readonly LeftAlone[];
  readonly failed: readonly (readonly [string, Error])[];
}

/** The wait for etcd that an event tells of; undefined for every other event. */
export function etcdWaitOf(key: string, meaning: EventMeaning, etcd: EtcdIntake): EtcdWait | undefined {
  const { what } = meaning;
  if (meaning.kind === 'joining') {
    const { lifecycleHookName, ...launch } = meaning.launch;
    return lifecycleHookName === etcd.etcdLaunchHookName
      ? { key, what, cause: 'launching', ...launch }
      : undefined;
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
): Promise<EtcdWakeUps> {
  const judged = await Promise.all(waits.map(async (wait) => ({ wait, verdict: await judge(wait, groups) })));
  const ours = judged.filter(({ verdict }) => verdict === 'ours').map(({ wait }) => wait);
  const noticedAt = new Date(clock.now()).toISOString();
  const failures =
    ours.length > 0 ? await etcd.send(ours.map((wait) => toMessage(wait, etcd, noticedAt))) : [];
  const unsent = new Map(failures.map(({ index, error }) => [index, error]));
  return {
    sent: ours.filter((_, index) => !unsent.has(index)),
    leftAlone: judged.flatMap(({ wait: { what, instanceId, autoScalingGroupName }, verdict }) =>
      verdict === 'foreign'
        ? [
            {
              what,
              reason: `the group ${autoScalingGroupName} of ${instanceId} is not managed by this cluster`,
            },
          ]
        : [],
    ),
    failed: [
      ...judged.flatMap(({ wait, verdict }) =>
        verdict instanceof Error ? [[wait.key, verdict] as const] : [],
      ),
      ...ours.flatMap((wait, index) => {
        const cause = unsent.get(index);
        return cause ? [[wait.key, new Error('the zone could not be woken', { cause })] as const] : [];
      }),
    ],
  };
}

/** `no-members`: EC2 takes an instance of a group that is managed, and that has no members of etcd. */
async function judge(
  { autoScalingGroupName, instanceId, cause: why }: EtcdWait,
  groups: ManagedGroups,
): Promise<'ours' | 'foreign' | 'no-members' | Error> {
  try {
    const role = await groups.managedRoleOf(autoScalingGroupName);
    if (!role) return 'foreign';
    return why === 'taken' && role === 'worker' ? 'no-members' : 'ours';
  } catch (cause) {
    return new Error(`the group of ${instanceId} is not known`, { cause });
  }
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

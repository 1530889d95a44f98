import { type EtcdMember, hasStarted, serves } from './cluster.ts';
import type { EtcdSettings } from './decision.ts';
import { findHostMarks } from './mark.ts';
import { instanceOfMember } from './names.ts';
import type { EtcdInstance, EtcdObservation, InstancePresence } from './observation.ts';

/** An instance that EC2 does not know counts as gone after this time: EC2 is eventually consistent, and forgets instances after an hour. */
const missingSecondsUntilGone = 300;

/**
 * What becomes of a member:
 * - `stays`: its instance is in a group and not terminating, or runs outside the groups (detached);
 * - `leaves`: its instance is terminating and still runs;
 * - `missing`: EC2 does not know the instance, but not for long enough to be sure;
 * - `gone`: its instance no longer exists;
 * - `not-ours`: Drover did not make its peer URL.
 */
export type Fate = 'stays' | 'leaves' | 'missing' | 'gone' | 'not-ours';

/** A member with its instance and what becomes of it. */
export interface ObservedMember {
  readonly member: EtcdMember;
  /** Empty for `not-ours`. */
  readonly instanceId: string;
  readonly instance?: EtcdInstance;
  readonly fate: Fate;
  /** It has quorum; a learner can be healthy too. */
  readonly healthy: boolean;
  /** Epoch seconds since which EC2 has not known the instance. */
  readonly missingSince?: number;
}

/** Joins each member of a list with its instance, and decides what becomes of it. */
export function observeMembers(
  members: readonly EtcdMember[],
  observation: EtcdObservation,
  settings: EtcdSettings,
): readonly ObservedMember[] {
  const hostMarks = findHostMarks(observation.zone.records, settings.naming);
  return members.map((member) => {
    const instanceId = instanceOfMember(member, settings.naming);
    if (!instanceId) return { member, instanceId: '', fate: 'not-ours', healthy: hasStarted(member) };
    const instance = observation.instances.find((one) => one.instanceId === instanceId);
    const missingSince = hostMarks.get(instanceId)?.missingSince ?? Math.floor(observation.now / 1000);
    const fate = fateOf({
      instance,
      presence: observation.others.get(instanceId),
      missingSince,
      now: observation.now,
    });
    return {
      member,
      instanceId,
      fate,
      healthy: isHealthy(instanceId, observation),
      instance,
      missingSince: fate === 'missing' ? missingSince : undefined,
    };
  });
}

function fateOf(input: {
  readonly instance: EtcdInstance | undefined;
  readonly presence: InstancePresence | undefined;
  readonly missingSince: number;
  readonly now: number;
}): Fate {
  const { instance, presence } = input;
  if (instance?.gone) return 'gone';
  if (instance) return instance.phase === 'leaving' ? 'leaves' : 'stays';
  if (presence === 'gone') return 'gone';
  if (presence === 'running') return 'stays';
  return input.now / 1000 - input.missingSince >= missingSecondsUntilGone ? 'gone' : 'missing';
}

const isHealthy = (instanceId: string, { cluster }: EtcdObservation): boolean =>
  cluster.kind === 'asked' && serves(cluster.statuses.get(instanceId));

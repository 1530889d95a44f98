import { type EtcdMember, hasStarted, serves } from './cluster.ts';
import type { EtcdTerms } from './decision.ts';
import { findHostMarks } from './mark.ts';
import { instanceOfMember } from './names.ts';
import type { EtcdInstance, EtcdSight } from './sight.ts';

/** An instance that EC2 does not know counts as gone after so long: EC2 is eventually consistent, and forgets after an hour. */
const missingSecondsUntilGone = 300;

/**
 * What becomes of a member:
 * - `stays`: its instance is in a group and not on its way out, or runs outside of them (detached);
 * - `leaves`: its instance is on its way out and still runs;
 * - `missing`: EC2 does not know the instance, not for long enough to be sure;
 * - `gone`: there is no instance any more;
 * - `not-ours`: its peer URL is none that Drover has made.
 */
export type Fate = 'stays' | 'leaves' | 'missing' | 'gone' | 'not-ours';

/** A member with all that is known of it. */
export interface SeenMember {
  readonly member: EtcdMember;
  /** Empty for a member that is not ours. */
  readonly instanceId: string;
  readonly instance?: EtcdInstance;
  readonly fate: Fate;
  /** It has started, answers, and can vote (or could, were it no learner). */
  readonly healthy: boolean;
  /** Epoch seconds since when EC2 knows no such instance. */
  readonly missingSince?: number;
}

/** The members of a list, each with its instance and its fate. */
export function seeMembers(
  members: readonly EtcdMember[],
  sight: EtcdSight,
  terms: EtcdTerms,
): readonly SeenMember[] {
  const hostMarks = findHostMarks(sight.zone.records, terms.naming);
  return members.map((member) => {
    const instanceId = instanceOfMember(member, terms.naming);
    if (!instanceId) return { member, instanceId: '', fate: 'not-ours', healthy: hasStarted(member) };
    const instance = sight.instances.find((one) => one.instanceId === instanceId);
    const missingSince = hostMarks.get(instanceId)?.missingSince ?? Math.floor(sight.now / 1000);
    const fate = fateOf({
      instance,
      whereabouts: sight.others.get(instanceId),
      missingSince,
      now: sight.now,
    });
    return {
      member,
      instanceId,
      fate,
      healthy: isHealthy(instanceId, sight),
      ...(instance && { instance }),
      ...(fate === 'missing' && { missingSince }),
    };
  });
}

function fateOf(input: {
  readonly instance: EtcdInstance | undefined;
  readonly whereabouts: 'running' | 'gone' | 'unknown-to-ec2' | undefined;
  readonly missingSince: number;
  readonly now: number;
}): Fate {
  const { instance, whereabouts } = input;
  if (instance?.gone) return 'gone';
  if (instance) return instance.phase === 'leaving' ? 'leaves' : 'stays';
  if (whereabouts === 'gone') return 'gone';
  if (whereabouts === 'running') return 'stays';
  return input.now / 1000 - input.missingSince >= missingSecondsUntilGone ? 'gone' : 'missing';
}

const isHealthy = (instanceId: string, { cluster }: EtcdSight): boolean =>
  cluster.kind === 'asked' && serves(cluster.statuses.get(instanceId));

import { judgeMissing, type MissingVerdict } from '../groups/missing-instance.ts';
import { type EndpointStatus, type EtcdMember, hasStarted, serves } from './cluster.ts';
import { type EtcdSettings, patienceSeconds } from './decision.ts';
import { findHostMarks, type MemberTrouble } from './mark.ts';
import { instanceOfMember } from './names.ts';
import type { EtcdInstance, EtcdObservation, InstancePresence } from './observe.ts';
import { listOf, statusesOf } from './statuses.ts';

/**
 * What becomes of a member:
 * - `stays`: its instance is in a group and not terminating, or runs outside the groups (detached);
 * - `leaves`: its instance is terminating and still runs;
 * - `missing`: EC2 does not know the instance, but not for long enough to be sure;
 * - `gone`: its instance no longer exists;
 * - `emptied`: its root volume was replaced before it could be removed, and its data is gone: as `existing` it would panic;
 * - `not-ours`: Drover did not make its peer URL, and it answers on no instance of the groups.
 */
export type Fate = 'stays' | 'leaves' | 'missing' | 'gone' | 'emptied' | 'not-ours';

/** A member with its instance and what becomes of it. */
export interface ObservedMember {
  readonly member: EtcdMember;
  /** Empty for `not-ours`. */
  readonly instanceId: string;
  /** Its peer URL has the name that Drover gives. Otherwise its etcd shows the instance, by the id with which it answers. */
  readonly isByName: boolean;
  readonly instance?: EtcdInstance;
  readonly fate: Fate;
  /** It has quorum; a learner can be healthy too. A voter that calls itself a learner is not: it serves no client. */
  readonly healthy: boolean;
  /** The list says that it votes, and its own answer says that it is a learner (etcd-io/etcd#18347). */
  readonly contradictsList: boolean;
  /**
   * What is wrong with it: `waiting` for each member that is to be removed and has an instance, `missing` for one whose instance EC2 does
   * not know. The finding stays on record until the member is removed, since it is what proves that the instance is gone.
   */
  readonly trouble?: MemberTrouble;
}

/** Joins each member of a list with its instance, and decides what becomes of it. */
export function observeMembers(
  members: readonly EtcdMember[],
  observation: EtcdObservation,
  settings: EtcdSettings,
): readonly ObservedMember[] {
  const hostMarks = findHostMarks(observation.zone.records, settings.naming);
  const statuses = statusesOf(observation.cluster);
  return members.map((member) => {
    const named = instanceOfMember(member, settings.naming);
    const instanceId = named ?? instanceBehind(member, statuses);
    const isByName = named !== undefined;
    if (!instanceId)
      return {
        member,
        instanceId: '',
        isByName,
        fate: 'not-ours',
        healthy: hasStarted(member),
        contradictsList: false,
      };
    const instance = observation.instances.find((one) => one.instanceId === instanceId);
    const presence = observation.others.get(instanceId);
    const marked = hostMarks.get(instanceId)?.trouble;
    const recordedSince = (kind: MemberTrouble['kind']): number | undefined =>
      marked?.kind === kind ? marked.since : undefined;
    const isUnknown = !instance && (presence === undefined || presence === 'unknown-to-ec2');
    const missingSince = (recordedSince('missing') ?? Number.NaN) * 1000;
    const missing = isUnknown ? judgeMissing({ now: observation.now, missingSince }).kind : undefined;
    const status = ownStatus(member, instanceId, observation);
    const contradictsList = !member.isLearner && status?.isLearner === true;
    const healthy = serves(status) && !contradictsList;
    const isEmptied =
      !member.isLearner &&
      !healthy &&
      !contradictsList &&
      instance?.phase === 'arriving' &&
      isReturning(instance, marked, observation);
    const fate = isEmptied ? 'emptied' : fateOf(instance, presence, missing);
    const isAsked = instance !== undefined || presence === 'stopped';
    const trouble = missing
      ? 'missing'
      : troubleOf({ fate, shouldAnswer: isAsked && !member.isLearner && !contradictsList, healthy });
    const since = trouble && missing !== 'new' ? recordedSince(trouble) : undefined;
    return {
      member,
      instanceId,
      isByName,
      fate,
      healthy,
      contradictsList,
      instance,
      trouble: trouble && { kind: trouble, since: since ?? Math.floor(observation.now / 1000) },
    };
  });
}

/**
 * A voter on an arriving instance has been promoted, so it served a moment ago. If it does not serve, it is an old member: the instance
 * is back with a new root volume, and its wait ended before the member was removed.
 */
const isReturning = (
  { emptied }: EtcdInstance,
  marked: MemberTrouble | undefined,
  { now }: EtcdObservation,
): boolean =>
  emptied ||
  marked?.kind === 'waiting' ||
  (marked?.kind === 'silent' && now / 1000 - marked.since > patienceSeconds);

/** A voter that runs outside the groups is not asked, so its silence means nothing. A learner is new. */
function troubleOf(input: {
  readonly fate: Fate;
  readonly shouldAnswer: boolean;
  readonly healthy: boolean;
}): MemberTrouble['kind'] | undefined {
  if (input.fate === 'leaves' || input.fate === 'emptied') return 'waiting';
  return input.fate === 'stays' && input.shouldAnswer && !input.healthy ? 'silent' : undefined;
}

/** The instance whose etcd answers with the id of the member; undefined if none does. */
export const instanceBehind = (
  { id }: Pick<EtcdMember, 'id'>,
  statuses: ReadonlyMap<string, EndpointStatus>,
): string | undefined =>
  [...statuses].find(([, status]) => status.kind === 'answers' && status.memberId === id)?.[0];

function fateOf(
  instance: EtcdInstance | undefined,
  presence: InstancePresence | undefined,
  missing: MissingVerdict['kind'] | undefined,
): Fate {
  if (instance?.gone || presence === 'gone' || missing === 'gone') return 'gone';
  if (missing) return 'missing';
  return instance?.phase === 'leaving' ? 'leaves' : 'stays';
}

/** What this member of this cluster answers on the instance; undefined if it does not, or if another etcd answers there. */
function ownStatus(
  { id }: EtcdMember,
  instanceId: string,
  { cluster }: EtcdObservation,
): Extract<EndpointStatus, { readonly kind: 'answers' }> | undefined {
  const status = statusesOf(cluster).get(instanceId);
  const isOwn =
    status?.kind === 'answers' && status.memberId === id && status.clusterId === listOf(cluster)?.clusterId;
  return isOwn ? status : undefined;
}

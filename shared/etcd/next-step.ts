import { type EtcdMember, hasStarted } from './cluster.ts';
import { type EtcdSettings, type EtcdStep, hasStalled, patienceSeconds } from './decision.ts';
import { latestRemovalAt } from './latest-removal.ts';
import { memberHost, peerUrl } from './names.ts';
import type { EtcdObservation } from './observe.ts';
import type { ObservedMember } from './observed-members.ts';
import { listOf, statusesOf } from './statuses.ts';

interface NextStep {
  readonly step?: EtcdStep;
  /** Why each instance waits, by its id. */
  readonly waits: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

interface StepInput {
  readonly observed: readonly ObservedMember[];
  readonly observation: EtcdObservation;
  readonly settings: EtcdSettings;
}

type StepVerdict =
  | { readonly step: EtcdStep }
  | { readonly wait: string; readonly problem?: boolean }
  | undefined;

/**
 * Chooses the next change of the membership. First it removes members whose instance or data is gone: they only endanger the quorum.
 * Then it promotes the learner, of which there is at most one. Then it removes a member that leaves, and last it adds a new one.
 * Removing first keeps the cluster at its size (etcd runtime reconfiguration guide).
 */
export function nextStep(input: StepInput): NextStep {
  const waits = new Map<string, string>();
  const problems: string[] = [];
  let step: EtcdStep | undefined;
  for (const { instanceId, verdict } of verdictsOf(input)) {
    if (!verdict) continue;
    if ('step' in verdict) {
      if (step) waits.set(instanceId, `${describe(step)} comes first`);
      else step = verdict.step;
      continue;
    }
    waits.set(instanceId, verdict.wait);
    if (verdict.problem) problems.push(`${instanceId || 'a member'}: ${verdict.wait}`);
  }
  return { step, waits, problems: [...problems, ...silenceProblems(input)] };
}

function verdictsOf(
  input: StepInput,
): readonly { readonly instanceId: string; readonly verdict: StepVerdict }[] {
  const { observed } = input;
  const judged = (members: readonly ObservedMember[], judge: (one: ObservedMember) => StepVerdict) =>
    members.map((one) => ({ instanceId: one.instanceId, verdict: judge(one) }));
  const learners = observed.filter(({ member }) => member.isLearner);
  const voters = observed.filter(({ member }) => !member.isLearner);
  return [
    ...judged(
      voters.filter(({ fate }) => fate === 'gone'),
      (one) => removal(one, input, 'its instance is gone'),
    ),
    ...judged(
      voters.filter(({ fate }) => fate === 'emptied'),
      (one) => removal(one, input, 'its root volume is new, and its data is gone'),
    ),
    ...judged(learners, (one) => learnerVerdict(one, input)),
    ...judged(
      voters
        .filter(({ fate }) => fate === 'leaves')
        .toSorted((one, other) => Number(one.healthy) - Number(other.healthy)),
      (one) => leave(one, input),
    ),
    ...additions(input),
  ];
}

function removal(one: ObservedMember, { observed }: StepInput, why: string): StepVerdict {
  const voters = observed.filter(({ member }) => !member.isLearner);
  const reason = reasonAgainstRemoval(voters, one.member.id);
  if (reason) return { wait: `it cannot be removed: ${reason}`, problem: true };
  return { step: { kind: 'remove', member: one.member, instanceId: one.instanceId, why } };
}

/** A voter that does not answer uses up one of the failures that the cluster tolerates, although its instance is in service. */
const silenceProblems = (input: StepInput): readonly string[] =>
  input.observed
    .filter((one) => one.trouble?.kind === 'silent' && lastsTooLong(one, input))
    .map(
      ({ instanceId, instance }) =>
        `${instanceId}: its member votes, and has not answered for ${patienceSeconds / 60} minutes${instance ? '' : ': its instance is stopped, outside the groups'}`,
    );

function learnerVerdict(
  { member, instanceId, fate, healthy }: ObservedMember,
  { observation, settings }: StepInput,
): StepVerdict {
  // The operator who added it may want a permanent learner.
  if (fate === 'not-ours') return undefined;
  if (fate === 'gone' || fate === 'leaves')
    return { step: { kind: 'remove', member, instanceId, why: 'it leaves before it can vote' } };
  if (!hasStarted(member) || !healthy)
    return hasStalled(observation, settings)
      ? {
          wait: `its etcd has not started for ${patienceSeconds / 60} minutes: see its log, or terminate the instance`,
          problem: true,
        }
      : { wait: 'its etcd has not started yet' };
  return { step: { kind: 'promote', instanceId, memberId: member.id } };
}

/**
 * A replacement goes one voter below the desired number. Going two below would risk the quorum without need, so that removal is put
 * off until the instance cannot be held any longer.
 */
function leave(one: ObservedMember, input: StepInput): StepVerdict {
  const voters = input.observed.filter(({ member }) => !member.isLearner);
  const unstarted = voters.find(({ member }) => !hasStarted(member) && member.id !== one.member.id);
  if (unstarted) return { wait: `${unstarted.instanceId || unstarted.member.id} must start first` };
  const { now, desiredMembers } = input.observation;
  const latest = latestRemovalAt(one);
  const isLate = now >= latest;
  const why = isLate ? 'its instance leaves, and cannot wait any longer' : 'its instance leaves';
  const verdict = removal(one, input, why);
  if (isLate || !verdict || 'wait' in verdict) return verdict;
  const lacking = lackingFirst(one, voters, desiredMembers);
  if (!lacking) return verdict;
  const end = latest < Infinity ? `, or it is removed at ${new Date(latest).toISOString()}` : '';
  return {
    wait: `${lacking}${end}`,
    problem: lastsTooLong(one, input) && hasStalled(input.observation, input.settings),
  };
}

/**
 * What must happen before this voter is removed; undefined if it may be. Where API servers run beside the members, a new member that votes
 * is not enough: its instance must be in service, and only then does the load balancer lead to its API server. And clients of the leaving
 * API server, which ends with its member, have the deregistration delay of the load balancer.
 */
function lackingFirst(
  one: ObservedMember,
  voters: readonly ObservedMember[],
  desiredMembers: number,
): string | undefined {
  if (voters.length < desiredMembers)
    return `of ${desiredMembers} members ${voters.length} vote: one more must join first`;
  if (!one.instance?.besideApiServer) return undefined;
  if (one.instance.isBeingDeregistered)
    return 'its load balancer lets connections to its API server end before its hook begins';
  const joining = voterNotInService(voters);
  return joining && `${joining.instanceId} votes, and its API server must be in service first`;
}

/** A voter whose instance waits on a launch hook, as that of its Node. */
const voterNotInService = (voters: readonly ObservedMember[]): ObservedMember | undefined =>
  voters.find(
    ({ fate, instance }) => fate === 'stays' && instance?.besideApiServer && instance.phase === 'arriving',
  );

const lastsTooLong = ({ trouble }: ObservedMember, { observation }: StepInput): boolean =>
  trouble !== undefined && observation.now / 1000 - trouble.since > patienceSeconds;

function additions({
  observed,
  observation,
  settings,
}: StepInput): readonly { readonly instanceId: string; readonly verdict: StepVerdict }[] {
  const isMember = new Set(observed.map(({ instanceId }) => instanceId));
  const candidates = observation.instances.filter(
    ({ instanceId, phase, runs }) => phase !== 'leaving' && runs && !isMember.has(instanceId),
  );
  const learner = observed.find(({ member }) => member.isLearner);
  const unstarted = observed.find(({ member }) => !member.isLearner && !hasStarted(member));
  const foreignMember = observed.find(({ isByName }) => !isByName);
  const voters = observed.filter(({ member }) => !member.isLearner);
  const joining = voters.length < observation.desiredMembers ? undefined : voterNotInService(voters);
  return candidates.map(({ instanceId, addresses }) => {
    const wait = (why: string, problem = false) => ({ instanceId, verdict: { wait: why, problem } });
    if (foreignMember)
      return wait(
        `member ${foreignMember.member.name || foreignMember.member.id} has a peer URL outside ${settings.naming.domain}, so no SRV set can equal the list of members: replace it by hand first`,
        true,
      );
    if (learner) return wait(`${learner.instanceId} must become a voter first`);
    if (unstarted) return wait(`${unstarted.instanceId} must start first`);
    if (joining) return wait(`${joining.instanceId} must be in service first`);
    if (hasOtherEtcd(observation, instanceId))
      return wait('the etcd of another cluster answers on it, so it could not start as a member');
    if (addresses.length === 0) return wait('it has no address in EC2 yet');
    const url = peerUrl(memberHost(instanceId, settings.naming), settings.naming);
    return { instanceId, verdict: { step: { kind: 'add' as const, instanceId, peerUrl: url } } };
  });
}

function hasOtherEtcd({ cluster }: EtcdObservation, instanceId: string): boolean {
  const status = statusesOf(cluster).get(instanceId);
  return status?.kind === 'answers' && status.clusterId !== listOf(cluster)?.clusterId;
}

const describe = (step: EtcdStep): string => {
  const verbs = { add: 'adding', promote: 'promoting', remove: 'removing' } as const;
  return `${verbs[step.kind]} ${step.instanceId || 'a member'}`;
};

/** A voter and whether it can vote now. */
export interface Voter {
  readonly member: EtcdMember;
  readonly healthy: boolean;
}

export const quorumOf = (voters: number): number => Math.floor(voters / 2) + 1;

/**
 * Why a voter must not be removed; undefined if it may be. A quorum of the remaining voters must be healthy. etcd's strict
 * reconfiguration check requires the same of unhealthy members; this one applies to every member, before etcd is asked.
 */
export function reasonAgainstRemoval(voters: readonly Voter[], leaving: string): string | undefined {
  const remaining = voters.filter(({ member }) => member.id !== leaving);
  if (remaining.length === 0) return 'it is the last member: removing it would lose the cluster and its data';
  const healthy = remaining.filter((voter) => voter.healthy).length;
  const needed = quorumOf(remaining.length);
  if (healthy >= needed) return undefined;
  return `of the ${remaining.length} remaining members ${healthy} can vote, and ${needed} must`;
}

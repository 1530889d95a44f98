import { hasStarted } from './cluster.ts';
import type { EtcdStep, EtcdTerms } from './decision.ts';
import type { SeenMember } from './members-seen.ts';
import { memberHost, peerUrl } from './names.ts';
import { reasonAgainstRemoval } from './quorum.ts';
import type { EtcdSight } from './sight.ts';

export interface NextStep {
  readonly step?: EtcdStep;
  /** Why an instance waits, by its id. */
  readonly waits: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

interface Situation {
  readonly seen: readonly SeenMember[];
  readonly sight: EtcdSight;
  readonly terms: EtcdTerms;
}

type Verdict =
  | { readonly step: EtcdStep }
  | { readonly wait: string; readonly problem?: boolean }
  | undefined;

/**
 * The one change of the membership that comes next. Dead members go first, for they only stand in the way of a quorum; then
 * the learner is promoted, of whom there is one at a time; then who leaves is removed, and last who is new is added: removing
 * first keeps the cluster at its size (etcd runtime reconfiguration guide).
 */
export function nextStep(situation: Situation): NextStep {
  const waits = new Map<string, string>();
  const problems: string[] = [];
  let step: EtcdStep | undefined;
  for (const { instanceId, verdict } of verdictsOf(situation)) {
    if (!verdict) continue;
    if ('step' in verdict) {
      if (step) waits.set(instanceId, `${describe(step)} comes first`);
      else step = verdict.step;
      continue;
    }
    waits.set(instanceId, verdict.wait);
    if (verdict.problem) problems.push(`${instanceId || 'a member'}: ${verdict.wait}`);
  }
  return { ...(step && { step }), waits, problems };
}

function verdictsOf(
  situation: Situation,
): readonly { readonly instanceId: string; readonly verdict: Verdict }[] {
  const { seen } = situation;
  const judged = (members: readonly SeenMember[], judge: (one: SeenMember) => Verdict) =>
    members.map((one) => ({ instanceId: one.instanceId, verdict: judge(one) }));
  const learners = seen.filter(({ member }) => member.isLearner);
  const voters = seen.filter(({ member }) => !member.isLearner);
  return [
    ...judged(
      voters.filter(({ fate }) => fate === 'gone'),
      (one) => removal(one, situation, 'its instance is gone'),
    ),
    ...judged(learners, (one) => learnerVerdict(one)),
    ...judged(
      voters
        .filter(({ fate }) => fate === 'leaves')
        .toSorted((one, other) => Number(one.healthy) - Number(other.healthy)),
      (one) => leave(one, situation),
    ),
    ...additions(situation),
  ];
}

function removal(one: SeenMember, { seen }: Situation, why: string): Verdict {
  const voters = seen.filter(({ member }) => !member.isLearner);
  const reason = reasonAgainstRemoval(voters, one.member.id);
  if (reason) return { wait: `it is not removed, for ${reason}`, problem: true };
  return { step: { kind: 'remove', member: one.member, instanceId: one.instanceId, why } };
}

function learnerVerdict({ member, instanceId, fate, healthy }: SeenMember): Verdict {
  // Whoever added it may want it never to vote.
  if (fate === 'not-ours') return undefined;
  if (fate === 'gone' || fate === 'leaves')
    return { step: { kind: 'remove', member, instanceId, why: 'it leaves before it could vote' } };
  if (!hasStarted(member) || !healthy) return { wait: 'its etcd has not started yet' };
  return { step: { kind: 'promote', instanceId, memberId: member.id } };
}

/** One voter below the desired number is what a replacement needs; two would be a risk that nobody asked for. */
function leave(one: SeenMember, situation: Situation): Verdict {
  const voters = situation.seen.filter(({ member }) => !member.isLearner);
  const unstarted = voters.find(({ member }) => !hasStarted(member) && member.id !== one.member.id);
  if (unstarted) return { wait: `${unstarted.instanceId || unstarted.member.id} must have started first` };
  const verdict = removal(one, situation, 'its instance leaves');
  const remaining = voters.length - 1;
  if (verdict && 'step' in verdict && remaining < situation.sight.desiredMembers - 1)
    return {
      wait: `of ${situation.sight.desiredMembers} members ${voters.length} vote: one more must have joined first`,
    };
  return verdict;
}

function additions({
  seen,
  sight,
  terms,
}: Situation): readonly { readonly instanceId: string; readonly verdict: Verdict }[] {
  const isMember = new Set(seen.map(({ instanceId }) => instanceId));
  const candidates = sight.instances.filter(
    ({ instanceId, phase, runs }) => phase !== 'leaving' && runs && !isMember.has(instanceId),
  );
  const learner = seen.find(({ member }) => member.isLearner);
  const unstarted = seen.find(({ member }) => !member.isLearner && !hasStarted(member));
  const stranger = seen.find(({ fate }) => fate === 'not-ours');
  return candidates.map(({ instanceId, addresses }) => {
    const wait = (why: string, problem = false) => ({ instanceId, verdict: { wait: why, problem } });
    if (stranger)
      return wait(
        `member ${stranger.member.name || stranger.member.id} has a peer URL outside ${terms.naming.domain}, so that no SRV set equals the list: replace it by hand first`,
        true,
      );
    if (learner) return wait(`${learner.instanceId} must have become a voter first`);
    if (unstarted) return wait(`${unstarted.instanceId} must have started first`);
    if (addresses.length === 0) return wait('EC2 has given it no address yet');
    const url = peerUrl(memberHost(instanceId, terms.naming), terms.naming);
    return { instanceId, verdict: { step: { kind: 'add' as const, instanceId, peerUrl: url } } };
  });
}

const describe = (step: EtcdStep): string => {
  const words = { add: 'adding', promote: 'promoting', remove: 'removing' } as const;
  return `${words[step.kind]} ${step.instanceId || 'a member'}`;
};

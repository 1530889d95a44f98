import { lazily } from '../base/lazily.ts';
import type { ManagedGroups } from '../groups/managed-groups.ts';
import type { Candidate } from './candidates.ts';
import type { LeftAlone } from './report.ts';

/** Whether a candidate's instance is in a managed group; `failed`: the look-up failed. */
export type MembershipVerdict =
  | { readonly kind: 'ours'; readonly candidate: Candidate; readonly autoScalingGroupName: string }
  | { readonly kind: 'foreign'; readonly leftAlone: LeftAlone }
  | { readonly kind: 'failed'; readonly key: string; readonly error: Error };

/**
 * Looks up the groups of all candidates together: lifecycle actions name their group, all other instances share one look-up.
 * A failed look-up affects only the candidates that needed it.
 */
export async function checkMembership(
  candidates: readonly Candidate[],
  groups: ManagedGroups,
): Promise<readonly MembershipVerdict[]> {
  const nameless = candidates.filter(({ notice }) => notice.hook === undefined);
  const ids = [...new Set(nameless.map(({ notice }) => notice.instanceId))];
  const lookUp = lazily(() => groups.groupOfInstances(ids));
  const groupOf = async ({ notice }: Candidate): Promise<string | undefined> =>
    notice.hook?.autoScalingGroupName ?? (await lookUp()).get(notice.instanceId);
  return await Promise.all(candidates.map((candidate) => checkCandidate(candidate, groupOf, groups)));
}

async function checkCandidate(
  candidate: Candidate,
  groupOf: (candidate: Candidate) => Promise<string | undefined>,
  groups: ManagedGroups,
): Promise<MembershipVerdict> {
  const { key, what, notice } = candidate;
  const foreign = (reason: string): MembershipVerdict => ({ kind: 'foreign', leftAlone: { what, reason } });
  try {
    const group = await groupOf(candidate);
    if (group === undefined) return foreign(`${notice.instanceId} is in no Auto Scaling group`);
    if (await groups.isManaged(group)) return { kind: 'ours', candidate, autoScalingGroupName: group };
    return foreign(`the group ${group} of ${notice.instanceId} is not managed by this cluster`);
  } catch (cause) {
    return {
      kind: 'failed',
      key,
      error: new Error(`the group of ${notice.instanceId} is not known`, { cause }),
    };
  }
}

import type { Role } from '../groups/group.ts';
import type { Candidate } from './candidates.ts';
import type { LeftAlone } from './intake-report.ts';

/** Whether the instance of a candidate is in a managed group. */
export type MembershipVerdict =
  | { readonly kind: 'ours'; readonly candidate: Candidate; readonly autoScalingGroupName: string }
  | { readonly kind: 'foreign'; readonly leftAlone: LeftAlone }
  | { readonly kind: 'failed'; readonly key: string; readonly error: Error };

/**
 * Looks up the groups of all candidates. Lifecycle actions name their group; the lookups of all other instances are made together. If one
 * fails, only the candidates that need it fail.
 */
export async function checkMembership(
  candidates: readonly Candidate[],
  groups: ManagedGroups,
): Promise<readonly MembershipVerdict[]> {
  const groupOf = async ({ notice }: Candidate): Promise<string | undefined> =>
    notice.hook?.autoScalingGroupName ?? (await groups.groupOfInstance(notice.instanceId));
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
    if (group === undefined) return foreign(`${notice.instanceId} is not in an Auto Scaling group`);
    if (await groups.isManaged(group)) return { kind: 'ours', candidate, autoScalingGroupName: group };
    return foreign(`the group ${group} of ${notice.instanceId} is not managed by this cluster`);
  } catch (cause) {
    return {
      kind: 'failed',
      key,
      error: new Error(`the group of ${notice.instanceId} could not be looked up`, { cause }),
    };
  }
}

/** Finds managed groups, as intake needs them. Methods reject if AWS does not answer. */
export interface ManagedGroups {
  /** Undefined for an instance that is not in a group. Lookups at the same time share calls of fifty ids. */
  groupOfInstance(instanceId: string): Promise<string | undefined>;
  /** Whether the group has the tags of this cluster. `true` may be an hour old. */
  isManaged(autoScalingGroupName: string): Promise<boolean>;
  /** The role of a managed group, which may be an hour old; undefined for any other group. */
  managedRoleOf(autoScalingGroupName: string): Promise<Role | undefined>;
}

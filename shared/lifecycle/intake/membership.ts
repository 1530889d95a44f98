import type { ManagedGroups } from '../ports.ts';
import type { Candidate } from './concern.ts';
import type { LeftAlone } from './report.ts';

/** Each candidate's verdict: ours, somebody else's, or not known for the look-up failed. */
export type Verdict =
  | { readonly kind: 'ours'; readonly candidate: Candidate }
  | { readonly kind: 'foreign'; readonly leftAlone: LeftAlone }
  | { readonly kind: 'failed'; readonly key: string; readonly error: Error };

/**
 * Looks up the groups of all candidates together: hook actions name theirs, the instances of all the others travel in one
 * look-up. A failure touches only those that needed what failed.
 */
export async function judgeMembership(
  candidates: readonly Candidate[],
  groups: ManagedGroups,
): Promise<readonly Verdict[]> {
  const nameless = candidates.filter(({ notice }) => notice.hook === undefined);
  const ids = [...new Set(nameless.map(({ notice }) => notice.instanceId))];
  const lookUp = once(() => groups.groupOfInstances(ids));
  const groupOf = async ({ notice }: Candidate): Promise<string | undefined> =>
    notice.hook?.autoScalingGroupName ?? (await lookUp()).get(notice.instanceId);
  return await Promise.all(candidates.map((candidate) => judge(candidate, groupOf, groups)));
}

async function judge(
  candidate: Candidate,
  groupOf: (candidate: Candidate) => Promise<string | undefined>,
  groups: ManagedGroups,
): Promise<Verdict> {
  const { key, what, notice } = candidate;
  const foreign = (reason: string): Verdict => ({ kind: 'foreign', leftAlone: { what, reason } });
  try {
    const group = await groupOf(candidate);
    if (group === undefined) return foreign(`${notice.instanceId} is in no Auto Scaling group`);
    if (await groups.isManaged(group)) return { kind: 'ours', candidate };
    return foreign(`the group ${group} of ${notice.instanceId} is not managed by this cluster`);
  } catch (cause) {
    return {
      kind: 'failed',
      key,
      error: new Error(`the group of ${notice.instanceId} is not known`, { cause }),
    };
  }
}

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= load());
}

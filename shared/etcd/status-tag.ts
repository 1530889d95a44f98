import type { EtcdContext } from './context.ts';
import type { EtcdGroup } from './groups.ts';

/** The tag of a group that shows which problem of its etcd needs a person. */
export const etcdStatusTagKey = 'drover.dev/etcd-status';

/** A tag's value has at most 256 characters, and allows fewer kinds of them than a sentence. */
const maximumLength = 256;

/** Sets the tag of every etcd group to the first problem, or removes it. A tag that cannot be changed does not fail the pass. */
export async function updateStatusTags(
  { setStatusTag, onProblem }: EtcdContext,
  groups: readonly EtcdGroup[],
  problems: readonly string[],
): Promise<void> {
  const value = problems[0]?.replaceAll(/[^\p{L}\p{N} +\-=._:/@]/gu, '_').slice(0, maximumLength);
  for (const { group } of groups) {
    if (group.tags[etcdStatusTagKey] === value) continue;
    try {
      await setStatusTag(group.autoScalingGroupName, value);
    } catch (error) {
      onProblem(`the tag ${etcdStatusTagKey} of ${group.autoScalingGroupName} was not changed`, error);
    }
  }
}

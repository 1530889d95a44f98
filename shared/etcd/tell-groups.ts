import type { EtcdGroup } from './groups.ts';
import type { EtcdWorld } from './world.ts';

/** The tag by which a group says what its etcd needs a person for. */
export const etcdStatusTagKey = 'drover.dev/etcd-status';

/** A tag's value holds 256 characters, and takes fewer than a sentence has. */
const longestWords = 256;

/** Says the first problem on every etcd group, or takes it away. Not to be able to say it is no reason to stop. */
export async function tellGroups(
  { tellGroup, onTrouble }: EtcdWorld,
  groups: readonly EtcdGroup[],
  problems: readonly string[],
): Promise<void> {
  const words = problems[0]?.replaceAll(/[^\p{L}\p{N} +\-=._:/@]/gu, '_').slice(0, longestWords);
  for (const { group } of groups) {
    if (group.tags[etcdStatusTagKey] === words) continue;
    try {
      await tellGroup(group.autoScalingGroupName, words);
    } catch (error) {
      onTrouble(`the tag ${etcdStatusTagKey} of ${group.autoScalingGroupName} was not changed`, error);
    }
  }
}

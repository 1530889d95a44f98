import { durationText } from '../../../shared/base/duration.ts';
import { type AutoScalingGroup, clusterTag, isManaged, roleOf } from '../../../shared/groups/group.ts';
import { setTag, tagProblems, unmanagedProblems } from '../../../shared/problems/tag-problems.ts';
import { readRepair } from '../../../shared/sweep/repair/settings.ts';
import { checkOf, type Finding, findingOf } from '../check.ts';

interface Tagged {
  readonly clusterName: string;
  readonly groups: readonly AutoScalingGroup[];
}

/** The groups with the cluster's tag, and their tags. */
export const groups = checkOf({
  name: 'groups',
  read: async ({ clusterName, taggedGroups }) => ({ clusterName, groups: await taggedGroups() }),
  judge: judgeGroups,
});

/** Pure. */
export function judgeGroups({ clusterName, groups: tagged }: Tagged): readonly Finding[] {
  if (!tagged.some((group) => isManaged(group, clusterName)))
    return [
      {
        verdict: 'fix',
        subject: clusterName,
        message: 'no group carries the tags of the cluster, so Drover manages none',
        command: `${setTag('GROUP', clusterTag(clusterName), 'owned')} && ${setTag('GROUP', 'drover.dev/role', 'worker')}`,
      },
      ...tagged.flatMap((group) => judgeGroup(group, clusterName)),
    ];
  return tagged.flatMap((group) => judgeGroup(group, clusterName));
}

function judgeGroup(group: AutoScalingGroup, clusterName: string): readonly Finding[] {
  const { autoScalingGroupName: subject } = group;
  if (!isManaged(group, clusterName)) return unmanagedProblems(group, clusterName).map(findingOf);
  const problems = tagProblems(group);
  if (problems.length === 0)
    return [{ verdict: 'ok', subject, message: `it is managed as ${roleOf(group)}${repairText(group)}` }];
  return problems.map(findingOf);
}

/** `, and a node is replaced after 10m of NotReady`. */
function repairText({ tags }: AutoScalingGroup): string {
  const { rules } = readRepair(tags);
  const texts = rules.map(({ condition, seconds }) => `${durationText(seconds)} of ${condition}`);
  return texts.length > 0 ? `, and a node is replaced after ${texts.join(' or ')}` : '';
}

import { durationText } from '../../../shared/base/duration.ts';
import { describeFailures, type ItemFailure } from '../../../shared/base/side-by-side.ts';
import { type AutoScalingGroup, clusterTag, isManaged, roleOf } from '../../../shared/groups/group.ts';
import {
  clusterTagsInOtherCase,
  secondClusterProblems,
  setTag,
  tagProblems,
  unmanagedProblems,
} from '../../../shared/problems/tag-problems.ts';
import { readRepair } from '../../../shared/sweep/repair/settings.ts';
import { checkOf, type Finding, findingOf } from '../check.ts';
import { allGroups } from '../foreign-hooks.ts';

interface Tagged {
  readonly clusterName: string;
  readonly groups: readonly AutoScalingGroup[];
  /** All groups of the account and region, which may have the tag in another case. */
  readonly all: readonly AutoScalingGroup[];
  /** Pages of them that could not be read. */
  readonly failures: readonly ItemFailure[];
}

/** The groups with the cluster's tag, and their tags; and groups with that tag in another case, which no read by tag finds. */
export const groups = checkOf({
  name: 'groups',
  read: async (context): Promise<Tagged> => {
    const [tagged, { groups: all, failures }] = await Promise.all([
      context.taggedGroups(),
      allGroups(context),
    ]);
    return { clusterName: context.clusterName, groups: tagged, all, failures };
  },
  judge: judgeGroups,
});

/** Pure. */
export function judgeGroups({ clusterName, groups: tagged, all, failures }: Tagged): readonly Finding[] {
  const others: readonly Finding[] = [
    ...all.flatMap((group) => clusterTagsInOtherCase(group, clusterName)).map(findingOf),
    ...(failures.length > 0
      ? [
          {
            verdict: 'unknown',
            subject: clusterName,
            message: `whether groups have its tag in another case could not be read: ${describeFailures(failures)}`,
          } as const,
        ]
      : []),
  ];
  if (!tagged.some((group) => isManaged(group, clusterName)))
    return [
      {
        verdict: 'fix',
        subject: clusterName,
        message: 'no group carries the tags of the cluster, so Drover manages none',
        command: `${setTag('GROUP', clusterTag(clusterName), 'owned')} && ${setTag('GROUP', 'drover.dev/role', 'worker')}`,
      },
      ...tagged.flatMap((group) => judgeGroup(group, clusterName)),
      ...others,
    ];
  return [...tagged.flatMap((group) => judgeGroup(group, clusterName)), ...others];
}

function judgeGroup(group: AutoScalingGroup, clusterName: string): readonly Finding[] {
  const { autoScalingGroupName: subject } = group;
  if (!isManaged(group, clusterName)) return unmanagedProblems(group, clusterName).map(findingOf);
  const problems = [...tagProblems(group), ...secondClusterProblems(group, clusterName)];
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

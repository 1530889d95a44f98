import { shellWord } from '../../../shared/base/shell-words.ts';
import { type AutoScalingGroup, isManaged, roleOf } from '../../../shared/groups/group.ts';
import { readRepair } from '../../../shared/sweep/repair/settings.ts';
import { whyUnmanaged } from '../../auto-scaling/why-unmanaged.ts';
import { durationText } from '../../durations.ts';
import { tagProblems } from '../../status/tag-problems.ts';
import { checkOf, type Finding } from '../check.ts';

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
        command: `aws autoscaling create-or-update-tags --tags ${tag('GROUP', `kubernetes.io/cluster/${clusterName}`, 'owned')} ${tag('GROUP', 'drover.dev/role', 'worker')}`,
      },
      ...tagged.flatMap((group) => judgeGroup(group, clusterName)),
    ];
  return tagged.flatMap((group) => judgeGroup(group, clusterName));
}

function judgeGroup(group: AutoScalingGroup, clusterName: string): readonly Finding[] {
  const { autoScalingGroupName: subject } = group;
  const reason = whyUnmanaged(group, clusterName);
  if (reason !== undefined) return unmanaged(group, reason);
  const problems = tagProblems(group);
  if (problems.length === 0)
    return [{ verdict: 'ok', subject, message: `it is managed as ${roleOf(group)}${repairText(group)}` }];
  return problems.map((message) => ({
    verdict: 'fix',
    subject,
    message,
    command: commandFor(subject, message),
  }));
}

/** `, and a node is replaced after 10m of NotReady`. */
function repairText({ tags }: AutoScalingGroup): string {
  const { rules } = readRepair(tags);
  const texts = rules.map(({ condition, seconds }) => `${durationText(seconds)} of ${condition}`);
  return texts.length > 0 ? `, and a node is replaced after ${texts.join(' or ')}` : '';
}

/** A group without tags of Drover's is left alone on purpose. */
function unmanaged(group: AutoScalingGroup, reason: string): readonly Finding[] {
  if (!Object.keys(group.tags).some((key) => key.startsWith('drover.dev/'))) return [];
  const { autoScalingGroupName: subject } = group;
  return [
    {
      verdict: 'fix',
      subject,
      message: `it is left alone: ${reason}`,
      command: `aws autoscaling create-or-update-tags --tags ${tag(subject, keyIn(reason), 'VALUE')}`,
    },
  ];
}

/** A tag that Drover does not know has mostly another spelling: what it was meant for is set by its right name. */
function commandFor(group: string, message: string): string {
  const key = keyIn(message);
  return message.includes('is unknown to Drover')
    ? `aws autoscaling delete-tags --tags ${shellWord(`ResourceId=${group},ResourceType=auto-scaling-group,Key=${key}`)}`
    : `aws autoscaling create-or-update-tags --tags ${tag(group, key, 'VALUE')}`;
}

/** The key of the tag that a message names. */
const keyIn = (message: string): string =>
  /(?:drover\.dev|kubernetes\.io)\/[^\s:]+/.exec(message)?.[0] ?? 'KEY';

const tag = (group: string, key: string, value: string): string =>
  shellWord(
    `ResourceId=${group},ResourceType=auto-scaling-group,Key=${key},Value=${value},PropagateAtLaunch=true`,
  );

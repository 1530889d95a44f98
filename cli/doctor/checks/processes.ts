import { shellWord } from '../../../shared/base/shell-words.ts';
import { type AutoScalingGroup, isSuspended } from '../../../shared/groups/group.ts';
import { readRepair } from '../../../shared/sweep/repair/settings.ts';
import { checkOf, type Finding } from '../check.ts';

type Group = Pick<AutoScalingGroup, 'autoScalingGroupName' | 'suspendedProcesses' | 'tags'>;

/** What does not happen in a group while a process is suspended (Amazon EC2 Auto Scaling User Guide, "Suspend and resume processes"). */
const missed = {
  Launch: 'no instance is launched: holds, schedules and replacements wait',
  Terminate:
    'no instance is terminated: the group does not become smaller, and a failed node is not replaced',
  ReplaceUnhealthy: 'an instance that is unhealthy stays: a failed node is not replaced',
} as const;

/** The processes of Auto Scaling that Drover relies on, if an operator or a tool has suspended them. */
export const processes = checkOf({
  name: 'processes',
  read: async ({ managedGroups }): Promise<readonly Group[]> => await managedGroups(),
  judge: (groups) => groups.map(judgeProcesses),
});

/** Pure. */
export function judgeProcesses(group: Group): Finding {
  const { autoScalingGroupName: subject, tags } = group;
  const needed: readonly (keyof typeof missed)[] =
    readRepair(tags).rules.length > 0 ? ['Launch', 'Terminate', 'ReplaceUnhealthy'] : ['Launch', 'Terminate'];
  const suspended = needed.filter((process) => isSuspended(group, process));
  if (suspended.length === 0)
    return { verdict: 'ok', subject, message: 'it suspends no process that Drover relies on' };
  return {
    verdict: 'fix',
    subject,
    message: suspended.map((process) => `${process} is suspended: ${missed[process]}`).join('; '),
    command: `aws autoscaling resume-processes --auto-scaling-group-name ${shellWord(subject)} --scaling-processes ${suspended.join(' ')}`,
  };
}

import { DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { checkOf, type Finding } from '../check.ts';

interface Protected {
  readonly group: string;
  readonly protection: string;
}

/** DescribeAutoScalingGroups takes so many names. */
const namesAtOnce = 50;

/** A group that is deleted by force terminates its instances without its hooks, unless it is protected. */
export const deletion = checkOf({
  name: 'deletion',
  read: async ({ autoScaling, managedGroups }) => {
    const names = (await managedGroups()).map(({ autoScalingGroupName }) => autoScalingGroupName);
    const found: Protected[] = [];
    for (let start = 0; start < names.length; start += namesAtOnce) {
      const AutoScalingGroupNames = names.slice(start, start + namesAtOnce);
      const input = { AutoScalingGroupNames, MaxRecords: namesAtOnce };
      const { AutoScalingGroups = [] } = await autoScaling.send(new DescribeAutoScalingGroupsCommand(input));
      for (const {
        AutoScalingGroupName: group = '',
        DeletionProtection: protection = 'none',
      } of AutoScalingGroups)
        found.push({ group, protection });
    }
    return found;
  },
  judge: (groups) => groups.map(judgeProtection),
});

/** Pure. */
export function judgeProtection({ group, protection }: Protected): Finding {
  if (protection !== 'none')
    return { verdict: 'ok', subject: group, message: `its deletion protection is ${protection}` };
  return {
    verdict: 'advice',
    subject: group,
    message: 'a forced deletion would terminate its instances undrained, without their hooks',
    command: `aws autoscaling update-auto-scaling-group --auto-scaling-group-name ${shellWord(group)} --deletion-protection prevent-force-deletion`,
  };
}

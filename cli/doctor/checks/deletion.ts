import { shellWord } from '../../../shared/base/shell-words.ts';
import { checkOf, type Finding } from '../check.ts';
import { describedGroups } from '../described-groups.ts';

interface Protected {
  readonly group: string;
  readonly protection: string;
}

/** A group that is deleted by force terminates its instances without its hooks, unless it is protected. */
export const deletion = checkOf({
  name: 'deletion',
  read: async (context) =>
    (await describedGroups(context)).map(
      ({ AutoScalingGroupName: group = '', DeletionProtection: protection = 'none' }) => ({
        group,
        protection,
      }),
    ),
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

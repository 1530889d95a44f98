import { shellWord } from '../../../shared/base/shell-words.ts';
import { readRepair, repairTagKey } from '../../../shared/sweep/repair/settings.ts';
import { clusterOfSweep } from '../../deployments/deployments.ts';
import { rulesNamed } from '../../deployments/rules-named.ts';
import { checkOf, type Finding } from '../check.ts';

interface ObservedRepair {
  readonly clusterName: string;
  /** The groups that ask for repair. */
  readonly groups: readonly string[];
  readonly stage: string;
  /** The description of the sweep's rule; undefined if there is no such rule. */
  readonly description: string | undefined;
}

/**
 * Whether the sweep may replace nodes, where a group asks for it. The template that gives its role the right names the tag in the
 * description of its rule, and an earlier template does neither. IAM is not asked: `iam:SimulatePrincipalPolicy` would need the tags of
 * the groups from the caller, so that it confirms what the caller believes, and few operators may call it.
 */
export const repair = checkOf({
  name: 'repair',
  read: async ({ clusterName, managedGroups, stage, events }): Promise<ObservedRepair> => {
    const groups = (await managedGroups())
      .filter(({ tags }) => readRepair(tags).rules.length > 0)
      .map(({ autoScalingGroupName }) => autoScalingGroupName);
    const name = ruleOf(await stage());
    const rule = (await rulesNamed(events, name)).find(({ Name }) => Name === name);
    return { clusterName, groups, stage: await stage(), description: rule && (rule.Description ?? '') };
  },
  judge: (found) => [judgeRepair(found)],
});

const ruleOf = (stage: string): string => `drover-${stage}-sweep`;

/** Pure. */
export function judgeRepair({ clusterName, groups, stage, description }: ObservedRepair): Finding {
  if (groups.length === 0)
    return { verdict: 'ok', subject: clusterName, message: 'no group asks for the repair of nodes' };
  const subject = groups.join(', ');
  if (description === undefined)
    return {
      verdict: 'unknown',
      subject,
      message: `there is no rule ${ruleOf(stage)} that says whether failed nodes are replaced`,
    };
  const served = clusterOfSweep(description);
  if (served !== undefined && served !== clusterName)
    return {
      verdict: 'unknown',
      subject,
      message: `the stage ${stage} belongs to the cluster ${served}: its sweep replaces no node of ${clusterName}`,
    };
  if (description.includes(repairTagKey))
    return { verdict: 'ok', subject, message: 'the sweep may replace failed nodes' };
  return {
    verdict: 'fix',
    subject,
    message: `the tag ${repairTagKey} asks for repair, and the stack comes from a version of Drover whose sweep may not replace nodes`,
    command: `npx --no -- serverless deploy --stage ${shellWord(stage)}`,
  };
}

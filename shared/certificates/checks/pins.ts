import type { Case } from '../decision-input.ts';
import type { CertificateSettings, GroupFacts } from '../facts.ts';
import { type CheckAnswer, deny } from '../verdict.ts';

/** The instance is what the deployment trusts: its account, its group by AWS's own tag, and the profile of its role. */
export function pinsCheck({ situation, settings }: Case): CheckAnswer {
  if (!('instance' in situation) || situation.instance.group === undefined) return undefined;
  const { instanceId, accountId, groupTag, group, instanceProfileArn } = situation.instance;
  if (accountId !== settings.accountId)
    return deny(`instance ${instanceId} belongs to account ${accountId}, not ${settings.accountId}`);
  if (groupTag !== group.autoScalingGroupName)
    return deny(
      `the tag aws:autoscaling:groupName of instance ${instanceId} is ${groupTag ?? 'missing'}, not ${group.autoScalingGroupName}`,
    );
  return hasPinnedProfile(group, instanceProfileArn, settings)
    ? undefined
    : deny(
        `the instance profile of instance ${instanceId} is ${instanceProfileArn ?? 'missing'}, not one of role ${group.role}`,
      );
}

/** A profile is pinned by its name or its ARN. */
function hasPinnedProfile(
  { role }: GroupFacts,
  arn: string | undefined,
  { instanceProfiles }: CertificateSettings,
): boolean {
  const pinned = instanceProfiles.filter((pin) => pin.role === role);
  const name = arn?.split('/').at(-1);
  return (
    pinned.length === 0 ||
    pinned.some(({ instanceProfile }) => instanceProfile === arn || instanceProfile === name)
  );
}

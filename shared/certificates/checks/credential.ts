import type { Case } from '../decision-input.ts';
import { type CheckAnswer, deny } from '../verdict.ts';

/** The credential is one for this instance, or for instances of its group's role. */
export function credentialCheck({ requester, situation }: Case): CheckAnswer {
  if (requester.kind === 'node' || !('instance' in situation)) return undefined;
  const { instanceId, group } = situation.instance;
  if (requester.kind === 'instance' && requester.instanceId !== instanceId)
    return deny(
      `the credential is that of instance ${requester.instanceId}, and the name that of ${instanceId}`,
    );
  return group === undefined || requester.roles.includes(group.role)
    ? undefined
    : deny(
        `the credential is for role ${requester.roles.join(', ')}, and group ${group.autoScalingGroupName} has role ${group.role}`,
      );
}

import { signers } from './certificate-request.ts';
import type { CertificateSettings, GroupFacts } from './facts.ts';
import { settleSeconds } from './situation.ts';
import { type Case, type CheckAnswer, deny, later } from './verdict.ts';

/** The deployment trusts the instance: its account, its group by the tag that only AWS can set, and the profile of its role. */
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

/** The credential is one for this instance, or for instances of its group's role. */
export function credentialCheck({ request, requester, situation, now }: Case): CheckAnswer {
  if (requester.kind === 'node' || !('instance' in situation)) return undefined;
  const { instanceId, group } = situation.instance;
  if (requester.kind === 'instance' && requester.instanceId !== instanceId) {
    const reason = `the credential is that of instance ${requester.instanceId}, and the name that of ${instanceId}`;
    // A stranger in another VPC may have the name of an instance that EC2 does not list yet.
    return group === undefined && now - request.createdAt < settleSeconds * 1000
      ? later(`${reason}; EC2 may not know ${requester.instanceId} yet`)
      : deny(reason);
  }
  return group === undefined || requester.roles.includes(group.role)
    ? undefined
    : deny(
        `the credential is for role ${requester.roles.join(', ')}, and group ${group.autoScalingGroupName} has role ${group.role}`,
      );
}

/**
 * A serving certificate names only the instance's own DNS names and addresses. A secondary address may belong to a pod (VPC CNI): it
 * passes only if the status of the Node lists it.
 */
export function addressesCheck({ request, read, situation, node, settings, now }: Case): CheckAnswer {
  if (request.signerName !== signers.serving || !('instance' in situation)) return undefined;
  const { instanceId, nodeNames, addresses } = situation.instance;
  const { dnsNames, ipAddresses } = read.names;
  const own = [
    ...nodeNames,
    ...addresses.dnsNames,
    ...(settings.publicAddresses ? addresses.publicDnsNames : []),
  ];
  const foreignName = dnsNames.find((name) => !own.includes(name));
  if (foreignName !== undefined) return deny(`DNS name ${foreignName} is not one of instance ${instanceId}`);
  const primary = [...addresses.primary, ...(settings.publicAddresses ? addresses.public : [])];
  const rest = ipAddresses.filter((address) => !primary.includes(address));
  const secondary = settings.primaryAddressesOnly ? [] : addresses.secondary;
  const foreign = rest.find((address) => !secondary.includes(address));
  if (foreign !== undefined) return deny(`address ${foreign} is not one of instance ${instanceId}`);
  const unlisted = rest.find((address) => !node?.addresses.includes(address));
  if (unlisted === undefined) return undefined;
  const reason = `secondary address ${unlisted} of instance ${instanceId} is not in the Node's status`;
  return now - request.createdAt < settleSeconds * 1000 ? later(reason) : deny(reason);
}

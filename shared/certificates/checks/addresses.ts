import { signers } from '../certificate-request.ts';
import type { Case } from '../decision-input.ts';
import { type CheckAnswer, deny, later } from '../verdict.ts';
import { settleSeconds } from './situation.ts';

/**
 * A serving certificate names only the instance's own DNS names and addresses. A secondary address may belong to a pod (VPC CNI): it
 * passes only where the Node's status lists it.
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

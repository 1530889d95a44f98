import { type CertificateRequest, signers } from '../certificate-request.ts';
import type { ReadRequest } from '../read-request.ts';
import { type CheckAnswer, deny } from '../verdict.ts';

const nodesGroup = 'system:nodes';
export const nodeUserPrefix = 'system:node:';

/** A Node's name is a DNS subdomain (Kubernetes, "Object names and IDs"). */
const nodeNamePattern =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/** The node that a common name or a user names; undefined for any other. */
export function nodeNameOf(user: string): string | undefined {
  if (!user.startsWith(nodeUserPrefix)) return undefined;
  const name = user.slice(nodeUserPrefix.length);
  return nodeNamePattern.test(name) ? name : undefined;
}

const usagesOf: Readonly<Record<string, readonly string[]>> = {
  [signers.client]: ['digital signature', 'client auth'],
  [signers.serving]: ['digital signature', 'server auth'],
};

/** The form that the signers of Kubernetes require (pkg/apis/certificates/helpers.go). */
export function formCheck(
  { signerName, usages }: Pick<CertificateRequest, 'signerName' | 'usages'>,
  { organization, commonName, names }: Pick<ReadRequest, 'organization' | 'commonName' | 'names'>,
): CheckAnswer {
  if (organization !== nodesGroup) return deny(`its organization is not exactly ${nodesGroup}`);
  if (nodeNameOf(commonName) === undefined)
    return deny(`its common name is not ${nodeUserPrefix}NAME with the name of a Node`);
  if (!hasUsages(usages, usagesOf[signerName] ?? []))
    return deny(`its usages are not exactly those of the signer: ${usages.join(', ')}`);
  if (names.others.length > 0)
    return deny('it asks for alternative names that are neither DNS names nor addresses');
  const count = names.dnsNames.length + names.ipAddresses.length;
  if (signerName === signers.client && count > 0)
    return deny('a client certificate has no alternative names');
  if (signerName === signers.serving && count === 0)
    return deny('a serving certificate needs a DNS name or an address');
  return undefined;
}

/** Exactly these, with or without key encipherment, which RSA keys ask for; each once. */
function hasUsages(given: readonly string[], needed: readonly string[]): boolean {
  const set = new Set(given);
  set.delete('key encipherment');
  return (
    new Set(given).size === given.length &&
    set.size === needed.length &&
    needed.every((usage) => set.has(usage))
  );
}

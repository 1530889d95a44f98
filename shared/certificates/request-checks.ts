import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  type CertificateRequest,
  isPending,
  nodeNameOf,
  nodeUserPrefix,
  type Requester,
  signers,
} from './certificate-request.ts';
import type { ReadRequest } from './read-request.ts';
import { type Case, type CheckAnswer, deny, later, notOurs } from './verdict.ts';

/** Requests that other approvers or an operator decide, or that are decided already. */
export function othersCheck(request: CertificateRequest, requester: Requester | undefined): CheckAnswer {
  const { signerName, conditions, username } = request;
  if (!Object.values<string>(signers).includes(signerName))
    return notOurs(`signer ${signerName} is not one of kubelets`);
  const [condition] = conditions;
  if (request.over !== undefined) return notOurs(request.over);
  if (!isPending(request)) return notOurs(`it is decided: ${condition?.type}, ${condition?.reason}`);
  if (!Number.isFinite(request.createdAt)) return later('its creationTimestamp is not a time');
  return requester
    ? undefined
    : notOurs(`user ${username} is neither a node nor has a bootstrap credential of Drover`);
}

const nodesGroup = 'system:nodes';
const usagesOf: Readonly<Record<string, readonly string[]>> = {
  [signers.client]: ['digital signature', 'client auth'],
  [signers.serving]: ['digital signature', 'server auth'],
};

/** The request has the form that the signers of Kubernetes require (pkg/apis/certificates/helpers.go). */
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

/** Signature algorithms by object identifier, with the type of key that makes them. SHA-1 and MD5 are missing on purpose. */
const algorithms: Readonly<Record<string, { readonly keyType: string; readonly digest: string | null }>> = {
  '1.2.840.113549.1.1.11': { keyType: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { keyType: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { keyType: 'rsa', digest: 'sha512' },
  '1.2.840.10045.4.3.2': { keyType: 'ec', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { keyType: 'ec', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { keyType: 'ec', digest: 'sha512' },
  '1.3.101.112': { keyType: 'ed25519', digest: null },
};

const shortestRsaBits = 2048;
/** Longer keys cost seconds of a verification. */
const longestRsaBits = 8192;
const curves = ['prime256v1', 'secp384r1', 'secp521r1'];

/** The key is strong, and the requester has it: the request is signed with it. */
export function keyCheck(request: ReadRequest): CheckAnswer {
  const key = keyOf(request.publicKey);
  if (key === undefined) return deny('its public key cannot be read');
  const weakness = weaknessOf(key);
  if (weakness !== undefined) return deny(weakness);
  return isSignedWith(key, request) ? undefined : deny('it is not signed by its own key');
}

function keyOf(der: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    // The message of OpenSSL does not help an operator: the verdict says that the key cannot be read.
    return undefined;
  }
}

function weaknessOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve = 'without a name' } = asymmetricKeyDetails ?? {};
  switch (asymmetricKeyType) {
    case 'rsa':
      if (modulusLength < shortestRsaBits)
        return `its RSA key has ${modulusLength} bits, fewer than ${shortestRsaBits}`;
      return modulusLength > longestRsaBits
        ? `its RSA key has ${modulusLength} bits, more than ${longestRsaBits}`
        : undefined;
    case 'ec':
      return curves.includes(namedCurve)
        ? undefined
        : `the curve of its key is ${namedCurve}, not P-256, P-384 or P-521`;
    case 'ed25519':
      return undefined;
    default:
      return 'its key is not RSA, ECDSA or Ed25519';
  }
}

function isSignedWith(key: KeyObject, { signedBytes, signature, signatureAlgorithm }: ReadRequest): boolean {
  const algorithm = algorithms[signatureAlgorithm];
  if (algorithm === undefined || algorithm.keyType !== key.asymmetricKeyType) return false;
  return verify(algorithm.digest, signedBytes, key, signature);
}

const daySeconds = 86_400;
/** A year and a day: the signer's own limit is a year by default, and a certificate cannot be revoked. */
const longestLifetimeSeconds = 366 * daySeconds;

/** A request without a lifetime passes: the signer then uses its own. */
export function lifetimeCheck({
  expirationSeconds,
}: Pick<CertificateRequest, 'expirationSeconds'>): CheckAnswer {
  if (expirationSeconds === undefined || expirationSeconds <= longestLifetimeSeconds) return undefined;
  return deny(
    `it asks for ${Math.round(expirationSeconds / daySeconds)} days, more than ${longestLifetimeSeconds / daySeconds}`,
  );
}

/** A node may only ask for its own name, and only a node may ask for a serving certificate. */
export function subjectCheck({ request, read, requester }: Case): CheckAnswer {
  if (requester.kind === 'node')
    return read.commonName === `${nodeUserPrefix}${requester.nodeName}`
      ? undefined
      : deny(`node ${requester.nodeName} asks for the name of another: ${read.commonName}`);
  return request.signerName === signers.serving
    ? deny(
        'a serving certificate is asked for with the certificate of the node itself, not with a bootstrap credential',
      )
    : undefined;
}

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import * as z from 'zod/mini';
import { describeIssues } from '../base/issues.ts';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';

const certificatePem = lazily(() =>
  z.string().check(z.regex(/^-----BEGIN CERTIFICATE-----\n/), z.maxLength(8192)),
);

/** The content of the parameter with which etcd-membership authenticates to etcd: one JSON object of PEM texts. */
const schema = lazily(() =>
  z.object({
    certificateAuthority: certificatePem(),
    clientCertificate: certificatePem(),
    clientKey: z.string().check(z.regex(/^-----BEGIN [A-Z ]*PRIVATE KEY-----\n/), z.maxLength(8192)),
  }),
);

type Pems = z.infer<ReturnType<typeof schema>>;

/** The client certificate and key of Drover, and the authority that signs etcd's certificates; PEM, times in epoch milliseconds. */
export interface EtcdClientCredentials extends Readonly<Pems> {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** The credentials cannot be used. The message says what is wrong and how to fix it, and quotes none of their text. */
export class EtcdCredentialsError extends Error {
  override readonly name = 'EtcdCredentialsError';
  readonly code: 'malformed' | 'key-differs' | 'other-authority';

  constructor(code: EtcdCredentialsError['code'], reason: string) {
    super(`the client certificate for etcd cannot be used: ${reason}; drover pki upload publishes a new one`);
    this.code = code;
  }
}

/** `/drover/prod/etcd-client`: the default parameter of a cluster's etcd credentials. */
export const etcdClientParameter = (clusterName: string): string => `/drover/${clusterName}/etcd-client`;

/** The text of the parameter. */
export const encodeEtcdClientCredentials = (pems: Readonly<Pems>): string =>
  JSON.stringify({
    certificateAuthority: pems.certificateAuthority,
    clientCertificate: pems.clientCertificate,
    clientKey: pems.clientKey,
  });

/**
 * Reads the text of the parameter and checks that its three parts belong together. It does not check the validity period: callers
 * compare `notBefore` and `notAfter` with their clock.
 *
 * @throws EtcdCredentialsError
 */
export function readEtcdClientCredentials(text: string): EtcdClientCredentials {
  const parsed = z.safeParse(schema(), parseJson(text));
  if (!parsed.success) throw new EtcdCredentialsError('malformed', describeIssues(parsed.error));
  const pems = parsed.data;
  const certificate = readCertificate(pems.clientCertificate, 'clientCertificate');
  const authority = readCertificate(pems.certificateAuthority, 'certificateAuthority');
  if (!certificate.checkPrivateKey(readKey(pems.clientKey)))
    throw new EtcdCredentialsError('key-differs', 'clientKey is not the key of clientCertificate');
  if (!certificate.checkIssued(authority) || !certificate.verify(authority.publicKey))
    throw new EtcdCredentialsError('other-authority', 'certificateAuthority did not sign clientCertificate');
  return { ...pems, notBefore: Date.parse(certificate.validFrom), notAfter: Date.parse(certificate.validTo) };
}

/** A parser's message can quote its input, so the error has no cause. */
function readCertificate(pem: string, field: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new EtcdCredentialsError('malformed', `${field} is not a certificate in PEM`);
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new EtcdCredentialsError('malformed', 'clientKey is not a private key in PEM');
  }
}

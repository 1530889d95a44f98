import { createPrivateKey, X509Certificate } from 'node:crypto';
import { parseJson } from '../../shared/base/parse-json.ts';
import { readPublished } from '../../shared/credentials/bootstrap-kubeconfig.ts';
import { EtcdCredentialsError, readEtcdClientCredentials } from '../../shared/etcd/client-credentials.ts';
import type { ClusterConnection } from '../../shared/kubernetes/connection.ts';
import { connectWith } from '../../shared/kubernetes/kubeconfig/connect.ts';
import { KubeconfigError, parseKubeconfig } from '../../shared/kubernetes/kubeconfig/parse.ts';
import type { Content } from './stored-parameters.ts';

/** What a parameter holds, without its secrets. Times are epoch milliseconds. */
export type Credential =
  | { readonly kind: 'unusable'; readonly why: string }
  | {
      readonly kind: 'usable';
      /** `a client certificate for https://api.example.com`. */
      readonly what: string;
      /** Undefined if it is valid until it is refused. */
      readonly notBefore?: number;
      readonly notAfter?: number;
    };

interface CredentialOptions {
  readonly text: string;
  readonly content: Content;
  readonly clusterName: string;
}

/** Reads the text of a parameter as the functions read it. It asks no server, and its answer quotes none of the text. */
export async function readCredential({ text, content, clusterName }: CredentialOptions): Promise<Credential> {
  try {
    if (content.kind === 'etcd client') return ofEtcd(text);
    if (content.kind === 'kubeconfig') return await ofKubeconfig(text);
  } catch (error) {
    if (error instanceof KubeconfigError || error instanceof EtcdCredentialsError)
      return { kind: 'unusable', why: error.message };
    throw error;
  }
  const published = readPublished(text, { clusterName, role: content.role });
  return published.kind === 'ours'
    ? { kind: 'usable', what: `a bootstrap token for ${published.address.server}` }
    : { kind: 'unusable', why: published.why };
}

function ofEtcd(text: string): Credential {
  const { notBefore, notAfter } = readEtcdClientCredentials(text);
  return { kind: 'usable', what: 'a client certificate', notBefore, notAfter };
}

async function ofKubeconfig(text: string): Promise<Credential> {
  const abilities = { clock: { now: () => 0 }, makeIamToken: () => Promise.resolve({}) };
  const context = await parseKubeconfig(text);
  const { connection } = await connectWith(context, abilities);
  if (context.user.exec) return { kind: 'usable', what: `IAM tokens for ${connection.server}` };
  if (connection.tls.clientCertificate !== undefined) return ofCertificate(connection);
  if (connection.bearerToken === undefined)
    return { kind: 'unusable', why: `${context.userField} has no client certificate and no token` };
  return {
    kind: 'usable',
    what: `a token for ${connection.server}`,
    ...periodOfToken(connection.bearerToken),
  };
}

function ofCertificate({
  server,
  tls: { clientCertificate = '', clientKey = '' },
}: ClusterConnection): Credential {
  try {
    const certificate = new X509Certificate(clientCertificate);
    if (!certificate.checkPrivateKey(createPrivateKey(clientKey)))
      return { kind: 'unusable', why: 'client-key is not the key of client-certificate' };
    return {
      kind: 'usable',
      what: `a client certificate for ${server}`,
      notBefore: Date.parse(certificate.validFrom),
      notAfter: Date.parse(certificate.validTo),
    };
  } catch {
    // The messages of the parsers could quote a key.
    return {
      kind: 'unusable',
      why: 'client-certificate and client-key are not a certificate and a key in PEM',
    };
  }
}

/** The claims `nbf` and `exp` of a token of a ServiceAccount (RFC 7519). The API server verifies its signature. */
function periodOfToken(token: string): { readonly notBefore?: number; readonly notAfter?: number } {
  const [, payload = ''] = token.split('.');
  const claims = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  const { nbf, exp } = { ...(claims as Readonly<Record<string, unknown>> | undefined) };
  return {
    ...(typeof nbf === 'number' && { notBefore: nbf * 1000 }),
    ...(typeof exp === 'number' && { notAfter: exp * 1000 }),
  };
}

import { createHash } from 'node:crypto';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import { createCertificateRequest } from '../../../x509/certificate-request.ts';
import type { Key } from '../../../x509/key.ts';
import type { ApiResponse } from '../../api/request.ts';
import { type Credential, KubeletProblem, type Machine } from './machine.ts';

export interface WantedCertificate {
  readonly nodeName: string;
  readonly key: Key;
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly expirationSeconds?: number | undefined;
  /** Named after its key, so that a kubelet that starts again finds its request; else the server makes up a name. */
  readonly isNamedAfterKey: boolean;
  readonly credential: Credential;
  readonly waitSeconds: number;
}

const requestsPath = ({ certificatesVersion }: Machine): string =>
  `/apis/certificates.k8s.io/${certificatesVersion}/certificatesigningrequests`;

/** Asks, and waits for the PEM certificate. Rejects when it is refused, deleted or not there in time. Source: client-go `util/certificate/csr`. */
export async function requestCertificate(machine: Machine, wanted: WantedCertificate): Promise<string> {
  const { credential } = wanted;
  const body = requestObject(wanted, machine);
  const posted = await machine.send({ method: 'POST', path: requestsPath(machine), body, credential });
  const isKnown = posted.status === 409 && wanted.isNamedAfterKey;
  if (posted.status !== 201 && !isKnown) throw refused('the certificate request', posted);
  const name = isKnown ? body.metadata.name : nameIn(posted);
  return await waitForCertificate(machine, { ...wanted, name: name ?? '' });
}

const subjectOf = (nodeName: string) => ({
  commonName: `system:node:${nodeName}`,
  organizations: ['system:nodes'],
});

function requestObject(wanted: WantedCertificate, { certificatesVersion }: Machine) {
  const { signerName, usages, expirationSeconds, isNamedAfterKey, nodeName, ...parts } = wanted;
  const pem = createCertificateRequest({ ...parts, subject: subjectOf(nodeName) });
  return {
    apiVersion: `certificates.k8s.io/${certificatesVersion}`,
    kind: 'CertificateSigningRequest',
    metadata: isNamedAfterKey ? { name: nameAfterKey(wanted) } : { generateName: 'csr-' },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      ...(certificatesVersion === 'v1' && { signerName }),
      usages,
      ...(expirationSeconds !== undefined && { expirationSeconds }),
    },
  };
}

/** The hash of key, subject and usages. Source: pkg/kubelet/certificate/bootstrap. */
function nameAfterKey({ key, nodeName, usages }: WantedCertificate): string {
  const { commonName, organizations } = subjectOf(nodeName);
  const hash = createHash('sha512-256');
  for (const part of [key.publicKey, commonName, ...organizations, ...usages])
    hash.update(`${Buffer.from(part).toString('base64url')}|`);
  return `node-csr-${hash.digest('base64url')}`;
}

const nameIn = ({ body }: ApiResponse): string | undefined =>
  (JSON.parse(body) as CertificateSigningRequest).metadata?.name;

export const refused = (what: string, { status, body }: ApiResponse): KubeletProblem =>
  new KubeletProblem(`${what} was answered ${status}: ${messageOf(body)}`);

function messageOf(body: string): string {
  const { message }: { message?: string } = body.startsWith('{') ? JSON.parse(body) : {};
  return message ?? body;
}

interface Waiting {
  readonly name: string;
  readonly credential: Credential;
  readonly waitSeconds: number;
}

async function waitForCertificate(
  machine: Machine,
  { name, credential, waitSeconds }: Waiting,
): Promise<string> {
  const path = `${requestsPath(machine)}?watch=1&fieldSelector=metadata.name%3D${name}&timeoutSeconds=${waitSeconds}`;
  const watch = await machine.send({ method: 'GET', path, credential });
  const { stream } = watch;
  if (stream === undefined) throw refused('the watch of the certificate request', watch);
  const outcome = await machine.hear<Outcome>(waitSeconds * 1000, (report) =>
    stream.subscribe({
      line: (text) => {
        const found = outcomeOf(JSON.parse(text));
        if (found !== undefined) report(found);
      },
      end: () => report({ problem: 'the watch ended' }),
    }),
  );
  if ('problem' in outcome)
    throw new KubeletProblem(`certificate signing request ${name}: ${outcome.problem}`);
  return outcome.certificate;
}

type Outcome = { readonly certificate: string } | { readonly problem: string };

interface WatchEvent {
  readonly type: string;
  readonly object: CertificateSigningRequest;
}

function outcomeOf({ type, object: { status = {} } }: WatchEvent): Outcome | undefined {
  if (type === 'DELETED') return { problem: 'it was deleted' };
  const { conditions = [], certificate } = status;
  const refusal = conditions.find((condition) => ['Denied', 'Failed'].includes(condition.type));
  if (refusal !== undefined)
    return { problem: `${refusal.type}: ${refusal.reason ?? ''} ${refusal.message ?? ''}`.trim() };
  const isApproved = conditions.some((condition) => condition.type === 'Approved');
  if (!isApproved || certificate === undefined) return undefined;
  return { certificate: Buffer.from(certificate, 'base64').toString() };
}

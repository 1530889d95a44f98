import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { type CertificateRequest, signers } from '../../../shared/certificates/certificate-request.ts';

const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export interface PemOptions {
  /** As X.500 text: `O=system:nodes,CN=system:node:a`. */
  readonly subject?: string;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly emails?: readonly string[];
  readonly uris?: readonly string[];
  readonly algorithm?: object;
  readonly extensions?: readonly x509.Extension[];
  readonly attributes?: readonly x509.Attribute[];
}

const kinds = { dnsNames: 'dns', ipAddresses: 'ip', emails: 'email', uris: 'url' } as const;

/** A PKCS#10 request under a new key. */
export async function createPem(options: PemOptions = {}): Promise<string> {
  const algorithm = options.algorithm ?? p256;
  const keys = await webcrypto.subtle.generateKey(algorithm as typeof p256, true, ['sign', 'verify']);
  const names = Object.entries(kinds).flatMap(([key, type]) =>
    (options[key as keyof typeof kinds] ?? []).map((value) => ({ type, value })),
  );
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: options.subject ?? `O=system:nodes,CN=system:node:${nodeName}`,
    keys,
    signingAlgorithm: algorithm as typeof p256,
    extensions: [
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
      ...(options.extensions ?? []),
    ],
    attributes: [...(options.attributes ?? [])],
  });
  return `${request.toString('pem')}\n`;
}

/** The Node and the instance of the fixtures. */
export const nodeName = 'ip-10-0-0-1.eu-west-1.compute.internal';
export const instanceId = 'i-0aaaaaaaaaaaaaaa1';
export const now = Date.UTC(2026, 10, 23, 12);

export const tokenUser = {
  username: 'system:bootstrap:abcdef',
  groups: ['system:bootstrappers', 'system:bootstrappers:drover:worker', 'system:authenticated'],
};

export const instanceUser = (id: string = instanceId, role = 'worker') => ({
  username: `drover:instance:${id}`,
  groups: [`system:bootstrappers:drover:${role}`, 'system:authenticated'],
  extra: { 'drover.dev/instance-id': [id] },
});

export const nodeUser = (name: string = nodeName) => ({
  username: `system:node:${name}`,
  groups: ['system:nodes', 'system:authenticated'],
});

let count = 0;

/** A client request of a bootstrap token, half a minute old. */
export function clientRequest(pem: string, changes: Partial<CertificateRequest> = {}): CertificateRequest {
  count += 1;
  return {
    name: `csr-${String(count).padStart(5, '0')}`,
    uid: `uid-${count}`,
    resourceVersion: String(count),
    signerName: signers.client,
    extra: {},
    usages: ['digital signature', 'client auth'],
    createdAt: now - 30_000,
    conditions: [],
    pem,
    ...tokenUser,
    ...changes,
  };
}

/** A serving request of the node itself, half a minute old. */
export const servingRequest = (pem: string, changes: Partial<CertificateRequest> = {}): CertificateRequest =>
  clientRequest(pem, {
    signerName: signers.serving,
    usages: ['digital signature', 'server auth'],
    ...nodeUser(),
    ...changes,
  });

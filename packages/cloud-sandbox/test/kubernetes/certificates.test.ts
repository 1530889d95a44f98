import { X509Certificate } from 'node:crypto';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../../src/kubernetes/wire/certificates.ts';
import { createKeyPair, signingAlgorithm } from '../../src/kubernetes/wire/key-pair.ts';
import { bodyOf, createCluster } from './support.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

async function requestFor(name: string) {
  const keys = await createKeyPair();
  const request = await x509.Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm });
  return Buffer.from(request.toString('pem')).toString('base64');
}

async function cluster() {
  const authority = await createCertificateAuthority(Date.parse('2026-03-01T10:00:00Z'));
  return createCluster({ certificateAuthority: authority.certificate, signCertificate: authority.sign });
}

const posted = (request: string) => ({
  metadata: { name: 'csr' },
  spec: {
    request,
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['digital signature', 'client auth'],
    expirationSeconds: 3_600,
    username: 'somebody-else',
  },
});

/** It begins as one. */
const nonsense = '-----BEGIN CERTIFICATE REQUEST-----\nbm9uc2Vuc2U=\n-----END CERTIFICATE REQUEST-----\n';

const approval = { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Test' }] } };
const merge = { 'content-type': 'application/merge-patch+json' };

describe('a certificate signing request', () => {
  it('records the authenticated requester, whatever its spec', async () => {
    const { call } = await cluster();
    const stored = bodyOf(await call('POST', requests, posted(await requestFor('CN=x'))));
    expect(stored.spec).toMatchObject({
      username: 'kubernetes-admin',
      groups: ['system:masters', 'system:authenticated'],
    });
  });

  it('is signed once it is approved', async () => {
    const { call } = await cluster();
    await call('POST', requests, posted(await requestFor('CN=system:node:a, O=system:nodes')));
    expect((await call('PATCH', `${requests}/csr/approval`, approval, merge)).status).toBe(200);
    const certificate = async () => bodyOf(await call('GET', `${requests}/csr`)).status.certificate;
    await expect.poll(certificate).toBeTypeOf('string');
    const { subject, validTo } = new X509Certificate(Buffer.from(await certificate(), 'base64'));
    expect(subject).toContain('CN=system:node:a');
    expect(Date.parse(validTo)).toBe(Date.parse('2026-03-01T11:00:00Z'));
  });

  it('that cannot be signed has a failed condition', async () => {
    const { call } = await cluster();
    await call('POST', requests, posted(Buffer.from(nonsense).toString('base64')));
    await call('PATCH', `${requests}/csr/approval`, approval, merge);
    const types = async () =>
      bodyOf(await call('GET', `${requests}/csr`)).status.conditions.map(
        ({ type }: { type: string }) => type,
      );
    await expect.poll(types).toContain('Failed');
  });
});

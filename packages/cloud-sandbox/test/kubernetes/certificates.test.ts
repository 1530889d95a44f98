import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../../src/kubernetes/wire/certificates.ts';
import { createRandom } from '../../src/simulation/random.ts';
import { createCertificateRequest } from '../../src/x509/certificate-request.ts';
import { createKey } from '../../src/x509/key.ts';
import { bodyOf, createCluster } from './support.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const startedAt = Date.parse('2026-03-01T10:00:00Z');
const { secretBytes } = createRandom(1);

const requestFor = (commonName: string): string => {
  const subject = { commonName, organizations: ['system:nodes'] };
  return Buffer.from(createCertificateRequest({ key: createKey(secretBytes), subject })).toString('base64');
};

function cluster(signingSeconds?: number) {
  const authority = createCertificateAuthority(startedAt, secretBytes);
  return createCluster({
    certificateAuthority: authority.certificate,
    signCertificate: authority.sign,
    ...(signingSeconds !== undefined && { signingSeconds }),
  });
}

const posted = (name: string, request: string, expirationSeconds = 3_600) => ({
  metadata: { name },
  spec: {
    request,
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages: ['digital signature', 'client auth'],
    expirationSeconds,
  },
});

const decided = (type: string) => ({ status: { conditions: [{ type, status: 'True', reason: 'Test' }] } });
const merge = { 'content-type': 'application/merge-patch+json' };

async function issued(
  { call, seconds }: ReturnType<typeof cluster>,
  name = 'csr',
  expirationSeconds = 3_600,
) {
  await call('POST', requests, posted(name, requestFor('system:node:a'), expirationSeconds));
  await call('PATCH', `${requests}/${name}/approval`, decided('Approved'), merge);
  seconds(1);
  const { certificate } = bodyOf(await call('GET', `${requests}/${name}`)).status;
  return Buffer.from(certificate, 'base64').toString();
}

describe('a certificate signing request', () => {
  it('is signed once it is approved, on the simulated clock', async () => {
    const { subject, validTo } = new X509Certificate(await issued(cluster()));
    expect(subject).toBe('O=system:nodes\nCN=system:node:a');
    expect(Date.parse(validTo)).toBe(Date.parse('2026-03-01T11:00:00Z'));
  });

  it('gets a certificate that lasts no longer than the signing duration of the cluster', async () => {
    const { validTo } = new X509Certificate(await issued(cluster(1_200)));
    expect(Date.parse(validTo)).toBe(Date.parse('2026-03-01T10:20:00Z'));
  });

  it('gives a certificate that authenticates its user until it expires', async () => {
    const { kubernetes, seconds, ...parts } = cluster();
    const clientCertificate = await issued({ kubernetes, seconds, ...parts });
    const review = () =>
      kubernetes.handle({
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        headers: {},
        clientCertificate,
        body: '{}',
      });
    expect(bodyOf(await review()).status.userInfo).toMatchObject({
      username: 'system:node:a',
      groups: ['system:nodes', 'system:authenticated'],
    });
    seconds(3_600);
    expect((await review()).status).toBe(401);
  });

  it('is deleted an hour after its decision, or a day after its creation if there is no decision', async () => {
    const world = cluster();
    const { call, seconds } = world;
    seconds(10);
    await issued(world, 'approved', 7_200);
    await call('POST', requests, posted('denied', requestFor('system:node:b')));
    await call('PATCH', `${requests}/denied/approval`, decided('Denied'), merge);
    await call('POST', requests, posted('pending', requestFor('system:node:c')));
    const names = async () =>
      bodyOf(await call('GET', requests)).items.map(
        ({ metadata }: { metadata: { name: string } }) => metadata.name,
      );
    seconds(3_595);
    expect(await names()).toEqual(['approved', 'denied', 'pending']);
    seconds(3_600);
    expect(await names()).toEqual(['pending']);
    seconds(25 * 3_600);
    expect(await names()).toEqual([]);
  });

  it('may have the name that a kubelet gives it', async () => {
    const name = 'node-csr-B3_uQ-EiSfTUq3eqGXa8WZUn1Qq5sHn0J8ZkgTdzwKM';
    const { call } = cluster();
    expect((await call('POST', requests, posted(name, requestFor('system:node:a')))).status).toBe(201);
  });
});

describe('a client certificate', () => {
  it('of the serving signer authenticates nothing', async () => {
    const authority = createCertificateAuthority(startedAt, secretBytes);
    const { kubernetes } = createCluster({ certificateAuthority: authority.certificate });
    const clientCertificate = authority.sign({
      request: Buffer.from(requestFor('system:node:a'), 'base64').toString(),
      usages: ['digital signature', 'server auth'],
      notBefore: startedAt - 1_000,
      notAfter: startedAt + 60_000,
    });
    const path = '/api/v1/nodes/a';
    const answer = await kubernetes.handle({ method: 'GET', path, headers: {}, clientCertificate });
    expect(answer.status).toBe(401);
  });
});

it('leaves the extension keyUsage out of a certificate without a basic usage, because OpenSSL refuses an empty one', () => {
  const authority = createCertificateAuthority(startedAt, secretBytes);
  const keyUsage = Buffer.from('0603551d0f', 'hex');
  const signedFor = (usages: readonly string[]): boolean =>
    new X509Certificate(
      authority.sign({
        request: Buffer.from(requestFor('system:node:a'), 'base64').toString(),
        usages,
        notBefore: startedAt,
        notAfter: startedAt + 3_600_000,
      }),
    ).raw.includes(keyUsage);
  expect(signedFor(['digital signature', 'client auth'])).toBe(true);
  expect(signedFor(['client auth'])).toBe(false);
});

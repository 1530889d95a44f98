import { beforeAll, describe, expect, it } from 'vitest';
import { judgeCredential } from '../../../cli/doctor/checks/credentials.ts';
import { readCredential } from '../../../cli/doctor/credential.ts';
import type { Content } from '../../../cli/doctor/stored-parameters.ts';
import { createAuthority, credentialOf, issueLeaf } from '../../../cli/pki/issue.ts';
import { droverClientPath, leavesFor } from '../../../cli/pki/layout.ts';
import { formatBootstrapKubeconfig } from '../../../shared/credentials/bootstrap-kubeconfig.ts';
import { encodeEtcdClientCredentials } from '../../../shared/etcd/client-credentials.ts';

const validity = { notBefore: Date.UTC(2026, 0), notAfter: Date.UTC(2026, 1) };
const server = 'https://api.example.com:6443';

async function issue() {
  const authority = { path: 'etcd/ca', commonName: 'etcd-ca' } as const;
  const issuer = await createAuthority({ authority, keyType: 'ecdsa-p256', validity });
  const leaf = leavesFor({ domain: 'a.b', apiServerNames: [] }).find(({ path }) => path === droverClientPath);
  if (!leaf) throw new Error('no client certificate');
  const { certificate, key } = await issueLeaf(issuer, { leaf, keyType: 'ecdsa-p256', validity });
  return { authority: (await credentialOf(issuer)).certificate, certificate, key };
}

let client: Awaited<ReturnType<typeof issue>>;
let other: typeof client;
beforeAll(async () => {
  [client, other] = await Promise.all([issue(), issue()]);
});

const read = (kind: Content['kind'], text: string) =>
  readCredential({
    text,
    content: kind === 'bootstrap credential' ? { kind, role: 'worker' } : { kind },
    clusterName: 'prod',
  });

const kubeconfig = (user: object, cluster: object = { server }) =>
  JSON.stringify({
    clusters: [{ name: 'prod', cluster }],
    users: [{ name: 'drover', user }],
    contexts: [{ name: 'drover', context: { cluster: 'prod', user: 'drover' } }],
  });

const base64 = (text: string) => Buffer.from(text).toString('base64');
const certified = (certificate: string, key: string) =>
  kubeconfig({ 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) });
const jwt = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;

describe('what a kubeconfig holds', () => {
  it('is a client certificate with its validity period', async () => {
    expect(await read('kubeconfig', certified(client.certificate, client.key))).toEqual({
      kind: 'usable',
      what: `a client certificate for ${server}`,
      ...validity,
    });
  });

  it.each([
    [
      'of a ServiceAccount, with its validity period',
      jwt({ nbf: 1, exp: 2 }),
      { notBefore: 1000, notAfter: 2000 },
    ],
    ['of a ServiceAccount that never expires', jwt({ iss: 'kubernetes/serviceaccount' }), {}],
    ['with claims that are not an object', jwt(null), {}],
    ['of another kind', 'opaque', {}],
  ])('is a token %s', async (_, token, period) => {
    const found = await read('kubeconfig', kubeconfig({ token }));
    expect(found).toEqual({ kind: 'usable', what: `a token for ${server}`, ...period });
  });

  it('is the form of which functions make IAM tokens: none is made', async () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'aws',
      args: ['eks', 'get-token', '--cluster-name', 'prod'],
    };
    const found = await read('kubeconfig', kubeconfig({ exec }));
    expect(found).toEqual({ kind: 'usable', what: `IAM tokens for ${server}` });
  });

  it.each([
    ['a document that is none', () => 's3cret', /the document/],
    ['no server', () => kubeconfig({ token: 's3cret' }, {}), /server/],
    [
      'a server that is not an address',
      () => kubeconfig({ token: 's3cret' }, { server: 's3cret' }),
      /server: is not/,
    ],
    ['no credentials', () => kubeconfig({}), /no client certificate and no token/],
    ['a file', () => kubeconfig({ tokenFile: '/s3cret' }), /no files can be read here/],
    ['the key of another certificate', () => certified(client.certificate, other.key), /is not the key/],
    ['a broken key', () => certified(client.certificate, '-----BEGIN s3cret'), /not a certificate and a key/],
  ])('is unusable with %s, and nothing of it is quoted', async (_, text, why) => {
    const found = await read('kubeconfig', text());
    expect(found).toEqual({ kind: 'unusable', why: expect.stringMatching(why) });
    expect(JSON.stringify(found)).not.toContain('s3cret');
  });
});

describe('what the other parameters hold', () => {
  const pems = () => ({
    certificateAuthority: client.authority,
    clientCertificate: client.certificate,
    clientKey: client.key,
  });

  it('is a client certificate for etcd', async () => {
    const found = await read('etcd client', encodeEtcdClientCredentials(pems()));
    expect(found).toEqual({ kind: 'usable', what: 'a client certificate', ...validity });
    expect(await read('etcd client', 's3cret')).toMatchObject({ kind: 'unusable' });
    expect(
      await read('etcd client', encodeEtcdClientCredentials({ ...pems(), clientKey: other.key })),
    ).toMatchObject({ kind: 'unusable', why: expect.stringContaining('is not the key') });
  });

  it('is a bootstrap token of this cluster and role', async () => {
    const credentialOfCluster = (clusterName: string) =>
      formatBootstrapKubeconfig({
        owner: { clusterName, role: 'worker' },
        address: { server },
        token: { id: 'abcdef', secret: '0123456789abcdef' },
      });
    const found = await read('bootstrap credential', credentialOfCluster('prod'));
    expect(found).toEqual({ kind: 'usable', what: `a bootstrap token for ${server}` });
    expect(await read('bootstrap credential', credentialOfCluster('dev'))).toEqual({
      kind: 'unusable',
      why: expect.stringContaining('another cluster'),
    });
  });
});

describe('a credential', () => {
  const day = 86_400_000;
  const at = Date.UTC(2026, 0, 10);
  const judge = (
    found: Parameters<typeof judgeCredential>[0]['found'],
    kind: Content['kind'] = 'kubeconfig',
  ) =>
    judgeCredential({
      name: '/p',
      use: 'the use',
      content: kind === 'bootstrap credential' ? { kind, role: 'worker' } : { kind },
      command: 'fix it',
      at,
      found,
    });
  const usable = { kind: 'usable', what: 'a token' } as const;

  it.each([
    ['without an end', {}, 'ok', undefined],
    ['with fifteen days left', { notAfter: at + 15 * day }, 'ok', undefined],
    ['with less', { notAfter: at + 15 * day - 1 }, 'advice', 'fix it'],
    ['that has just expired', { notAfter: at }, 'fix', 'fix it'],
    ['that is valid from now', { notBefore: at }, 'ok', undefined],
    ['that is not valid yet', { notBefore: at + 1 }, 'fix', 'fix it'],
  ])('%s is judged %s', (_, period, verdict, command) => {
    const finding = judge({ ...usable, ...period });
    expect([finding.verdict, finding.command]).toEqual([verdict, command]);
  });

  it('says when it expired', () => {
    expect(judge({ ...usable, notAfter: at }).message).toBe(
      'the use: a token, which expired on 2026-01-10T00:00:00Z',
    );
  });

  it('that is unusable is fixed, but for a bootstrap credential that is not Drover’s', () => {
    const found = { kind: 'unusable', why: 'it is none' } as const;
    expect(judge(found)).toMatchObject({ verdict: 'fix', message: 'it is none', command: 'fix it' });
    const foreign = judge(found, 'bootstrap credential');
    expect(foreign).toMatchObject({ verdict: 'advice', message: expect.stringContaining('it is none') });
    expect(foreign.command).toBeUndefined();
  });
});

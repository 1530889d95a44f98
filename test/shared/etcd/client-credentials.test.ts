import { beforeAll, describe, expect, it } from 'vitest';
import { type Credential, createAuthority, credentialOf, issueLeaf } from '../../../cli/pki/issue.ts';
import { droverClientPath, leavesFor } from '../../../cli/pki/layout.ts';
import {
  EtcdCredentialsError,
  encodeEtcdClientCredentials,
  etcdClientParameter,
  readEtcdClientCredentials,
} from '../../../shared/etcd/client-credentials.ts';

const validity = { notBefore: Date.UTC(2026, 0), notAfter: Date.UTC(2026, 1) };

async function issue(): Promise<{ readonly authority: Credential; readonly client: Credential }> {
  const authority = { path: 'etcd/ca', commonName: 'etcd-ca' } as const;
  const issuer = await createAuthority({ authority, keyType: 'ecdsa-p256', validity });
  const leaf = leavesFor({ domain: 'a.b', apiServerNames: [] }).find(({ path }) => path === droverClientPath);
  if (!leaf) throw new Error('no client certificate');
  const client = await issueLeaf(issuer, { leaf, keyType: 'ecdsa-p256', validity });
  return { authority: await credentialOf(issuer), client };
}

let ours: Awaited<ReturnType<typeof issue>>;
let theirs: Awaited<ReturnType<typeof issue>>;
beforeAll(async () => {
  [ours, theirs] = await Promise.all([issue(), issue()]);
});

const pems = () => ({
  certificateAuthority: ours.authority.certificate,
  clientCertificate: ours.client.certificate,
  clientKey: ours.client.key,
});

function errorOf(text: string): EtcdCredentialsError {
  try {
    readEtcdClientCredentials(text);
  } catch (error) {
    if (error instanceof EtcdCredentialsError) return error;
    throw error;
  }
  throw new Error('it was read');
}

describe('the etcd client credentials', () => {
  it('are read back as written, with their validity period', () => {
    expect(readEtcdClientCredentials(encodeEtcdClientCredentials(pems()))).toEqual({
      ...pems(),
      ...validity,
    });
  });

  it('are read although they have expired', () => {
    expect(readEtcdClientCredentials(encodeEtcdClientCredentials(pems())).notAfter).toBe(validity.notAfter);
  });

  it('have a default parameter per cluster', () => {
    expect(etcdClientParameter('prod')).toBe('/drover/prod/etcd-client');
  });

  it.each([
    ['no JSON', () => `{"clientKey": ${ours.client.key}`, 'malformed'],
    ['no object', () => JSON.stringify(ours.client.key), 'malformed'],
    ['no key', () => JSON.stringify({ ...pems(), clientKey: undefined }), 'malformed'],
    [
      'certificate and key in each other’s place',
      () => JSON.stringify({ ...pems(), clientCertificate: ours.client.key }),
      'malformed',
    ],
    ['half a key', () => JSON.stringify({ ...pems(), clientKey: ours.client.key.slice(0, 90) }), 'malformed'],
    [
      'half a certificate',
      () => JSON.stringify({ ...pems(), clientCertificate: ours.client.certificate.slice(0, 90) }),
      'malformed',
    ],
    ['the key of another', () => JSON.stringify({ ...pems(), clientKey: theirs.client.key }), 'key-differs'],
    [
      'another authority of that name',
      () => JSON.stringify({ ...pems(), certificateAuthority: theirs.authority.certificate }),
      'other-authority',
    ],
    [
      'a certificate that is its own authority',
      () => JSON.stringify({ ...pems(), certificateAuthority: ours.client.certificate }),
      'other-authority',
    ],
  ])('are refused as %s, without quoting the key', (_, text, code) => {
    const error = errorOf(text());
    expect(error.code).toBe(code);
    expect(error.cause).toBeUndefined();
    for (const { key } of [ours.client, theirs.client])
      for (const line of key.split('\n').filter((line) => line && !line.startsWith('-')))
        expect(`${error.message}${error.stack}`).not.toContain(line);
  });
});

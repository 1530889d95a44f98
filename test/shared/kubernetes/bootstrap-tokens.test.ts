import { createKubernetes } from '@drover/cloud-sandbox/kubernetes';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { describe, expect, it } from 'vitest';
import { createTokenCluster } from '../../../shared/kubernetes/bootstrap-tokens.ts';

const owner = { clusterName: 'prod', role: 'worker' } as const;
const token = { id: 'abcdef', secret: '0123456789abcdef' };
const groups = ['system:bootstrappers:drover:worker'];
const address = { server: 'https://api.prod:6443', certificateAuthorityData: 'Q0E=' };

/** The adapter with an administrator's rights over a simulated cluster. */
function createBench() {
  const clock = createManualClock();
  const kubernetes = createKubernetes({ clock, random: createRandom(3) });
  const connection = { server: address.server, tls: {}, bearerToken: kubernetes.adminToken };
  const cluster = createTokenCluster({
    connections: { connect: () => Promise.resolve(connection), invalidate: () => undefined },
    sendHttp: kubernetes.sendHttp,
  });
  const create = (own = {}) =>
    cluster.createToken({
      token,
      owner,
      groups,
      expiresAt: clock.now() + 3_600_000,
      description: 'd',
      ...own,
    });
  const secret = () => kubernetes.store.of('secrets').list()[0];
  return { clock, cluster, create, kubernetes, secret };
}

describe('bootstrap tokens in a cluster', () => {
  it('are returned as the cluster has created them', async () => {
    const { create, clock, secret } = createBench();
    const made = await create({ groups: ['system:bootstrappers:b', 'system:bootstrappers:a'] });
    expect(made).toEqual({
      id: 'abcdef',
      uid: secret()?.metadata.uid,
      createdAt: clock.now(),
      expiresAt: clock.now() + 3_600_000,
      groups: ['system:bootstrappers:a', 'system:bootstrappers:b'],
    });
    expect(secret()?.metadata.labels).toEqual({
      'drover.dev/bootstrap': 'worker',
      'drover.dev/cluster': 'prod',
    });
  });

  it('never overwrite an existing one', async () => {
    const { create } = createBench();
    await create();
    await expect(create({ token: { ...token, secret: 'another000000000' } })).rejects.toMatchObject({
      kind: 'conflict',
    });
  });

  it('are deleted by UID, so that a recreated one stays', async () => {
    const { cluster, create, secret } = createBench();
    const first = await create();
    expect(await cluster.deleteToken(first)).toBe('deleted');
    expect(await cluster.deleteToken(first)).toBe('gone');
    const second = await create();
    expect(await cluster.deleteToken(first)).toBe('gone');
    expect(secret()?.metadata.uid).toBe(second.uid);
  });

  it('need a cluster name that is a valid label, and the error says so', async () => {
    const { create } = createBench();
    await expect(create({ owner: { ...owner, clusterName: 'a'.repeat(64) } })).rejects.toThrow(/at most 63/);
  });
});

describe('the right of a token to make certificate requests', () => {
  it('is what the authorizer answers for its groups', async () => {
    const { cluster, create, kubernetes } = createBench();
    await create();
    expect(await cluster.mayRequestCertificates({ address, token })).toBe(false);
    kubernetes.registry.create('clusterrolebindings.rbac.authorization.k8s.io', {
      metadata: { name: 'bootstrappers' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'system:node-bootstrapper',
      },
      subjects: groups.map((name) => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name })),
    });
    expect(await cluster.mayRequestCertificates({ address, token })).toBe(true);
  });
});

describe('the identity of a token', () => {
  it('is read with the token as the only credential', async () => {
    const { cluster, create } = createBench();
    await create();
    expect(await cluster.whoAmI({ address, token })).toMatchObject({
      username: 'system:bootstrap:abcdef',
      groups: expect.arrayContaining(['system:bootstrappers', ...groups]),
    });
  });

  it('is undefined for a wrong secret, an expired or a deleted token', async () => {
    const { cluster, create, clock } = createBench();
    const made = await create();
    expect(
      await cluster.whoAmI({ address, token: { ...token, secret: '0000000000000000' } }),
    ).toBeUndefined();
    clock.advance(3601);
    expect(await cluster.whoAmI({ address, token })).toBeUndefined();
    await cluster.deleteToken(made);
    expect(await cluster.whoAmI({ address, token })).toBeUndefined();
  });

  it('is asked at the address to publish, with its certificate authority', async () => {
    const seen: unknown[] = [];
    const cluster = createTokenCluster({
      connections: {
        connect: () => Promise.reject(new Error('the own credentials are not used')),
        invalidate: () => undefined,
      },
      sendHttp: (request) => {
        seen.push([request.url, request.tls, request.headers.authorization]);
        return Promise.resolve({ status: 401, headers: {}, body: '{}' });
      },
    });
    await cluster.whoAmI({ address: { ...address, tlsServerName: 'kubernetes' }, token });
    expect(seen[0]).toEqual([
      'https://api.prod:6443/apis/authentication.k8s.io/v1/selfsubjectreviews',
      { certificateAuthority: 'CA', serverName: 'kubernetes' },
      'Bearer abcdef.0123456789abcdef',
    ]);
  });
});

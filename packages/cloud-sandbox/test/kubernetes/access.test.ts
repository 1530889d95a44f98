import { describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../../src/kubernetes/wire/certificates.ts';
import { bodyOf, type Cluster, createCluster } from './support.ts';

const secrets = '/api/v1/namespaces/kube-system/secrets';
const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const expiresAt = '2026-03-01T11:00:00Z';

const tokenSecret = (data: object = {}) => ({
  metadata: { name: 'bootstrap-token-abcdef' },
  type: 'bootstrap.kubernetes.io/token',
  stringData: {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    expiration: expiresAt,
    ...data,
  },
});

const ask = ({ kubernetes }: Cluster, token: string, path = whoami, method = 'POST') =>
  kubernetes.handle({
    method,
    path,
    headers: { authorization: `Bearer ${token}` },
    ...(method === 'POST' && { body: '{}' }),
  });

describe('a bootstrap token', () => {
  const token = 'abcdef.0123456789abcdef';

  it('authenticates as its user and its groups', async () => {
    const cluster = createCluster();
    await cluster.call('POST', secrets, tokenSecret({ 'auth-extra-groups': 'system:bootstrappers:workers' }));
    expect(bodyOf(await ask(cluster, token)).status.userInfo).toEqual({
      username: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', 'system:bootstrappers:workers', 'system:authenticated'],
    });
  });

  it.each([
    ['has a wrong secret', {}, 'abcdef.fedcba9876543210'],
    ['is not meant for authentication', { 'usage-bootstrap-authentication': 'yes' }, token],
    ['has an unreadable expiration', { expiration: 'tomorrow' }, token],
    ['has an invalid group', { 'auth-extra-groups': 'system:bootstrappers:ok,system:masters' }, token],
  ])('is refused when it %s', async (_, data, presented) => {
    const cluster = createCluster();
    await cluster.call('POST', secrets, tokenSecret(data));
    expect((await ask(cluster, presented)).status).toBe(401);
  });

  it('expires, and its Secret is deleted', async () => {
    const cluster = createCluster();
    await cluster.call('POST', secrets, tokenSecret());
    expect((await ask(cluster, token)).status).toBe(201);
    cluster.seconds(3_700);
    expect((await ask(cluster, token)).status).toBe(401);
    expect((await cluster.call('GET', `${secrets}/bootstrap-token-abcdef`)).status).toBe(404);
  });
});

describe('authorization', () => {
  it('allows a user only what roles allow, with the error messages of the real server', async () => {
    const cluster = createCluster();
    const token = cluster.kubernetes.addToken({ username: 'drover', groups: [] });
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await cluster.call('POST', `${rbac}/clusterroles`, {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['nodes', 'pods/eviction'], verbs: ['get', 'list', 'create'] }],
    });
    const before = await ask(cluster, token, '/api/v1/nodes', 'GET');
    expect([before.status, bodyOf(before).message]).toEqual([
      403,
      'nodes is forbidden: User "drover" cannot list resource "nodes" in API group "" at the cluster scope',
    ]);
    await cluster.call('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: 'reader' },
      subjects: [{ kind: 'User', name: 'drover' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
    });
    expect((await ask(cluster, token, '/api/v1/nodes', 'GET')).status).toBe(200);
    expect((await ask(cluster, token, '/api/v1/pods', 'GET')).status).toBe(403);
  });

  it('refuses to read without credentials, and refuses unknown credentials', async () => {
    const { kubernetes } = createCluster();
    const anonymous = await kubernetes.handle({ method: 'GET', path: '/api/v1/nodes', headers: {} });
    expect(anonymous.status).toBe(403);
    const version = await kubernetes.handle({ method: 'GET', path: '/version', headers: {} });
    expect(version.status).toBe(200);
    const unknown = await kubernetes.handle({
      method: 'GET',
      path: '/version',
      headers: { authorization: 'Bearer x' },
    });
    expect(unknown.status).toBe(401);
  });
});

describe('a client certificate', () => {
  it('identifies its holder if the cluster signed it, and is ignored otherwise', async () => {
    const now = Date.parse('2026-03-01T10:00:00Z');
    const authority = createCertificateAuthority(now);
    const other = createCertificateAuthority(now);
    const cluster = createCluster({ certificateAuthority: authority.certificate });
    const subject = { username: 'system:node:a', groups: ['system:nodes'] };
    const present = async (clientCertificate: string) =>
      cluster.kubernetes.handle({ method: 'POST', path: whoami, headers: {}, body: '{}', clientCertificate });
    const own = await present(authority.issueClient(subject).certificate);
    expect(bodyOf(own).status.userInfo).toEqual({
      username: 'system:node:a',
      groups: ['system:nodes', 'system:authenticated'],
    });
    expect((await present(other.issueClient(subject).certificate)).status).toBe(401);
    expect((await present('no certificate')).status).toBe(401);
  });
});

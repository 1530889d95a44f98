import { describe, expect, it } from 'vitest';
import { bodyOf, createCluster } from './support.ts';

const pods = '/api/v1/namespaces/default/pods';
const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

const identityOf = async (headers: Record<string, string>) =>
  bodyOf(await createCluster().call('POST', whoami, {}, headers)).status.userInfo;

/** A user who may impersonate only bob. */
function withDeputy() {
  const cluster = createCluster();
  const { kubernetes, call } = cluster;
  const token = kubernetes.addToken({ username: 'deputy', groups: [] });
  const roles = '/apis/rbac.authorization.k8s.io/v1';
  const rule = { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['bob'] };
  return {
    prepare: async () => {
      await call('POST', `${roles}/clusterroles`, { metadata: { name: 'as-bob' }, rules: [rule] });
      await call('POST', `${roles}/clusterrolebindings`, {
        metadata: { name: 'as-bob' },
        subjects: [{ kind: 'User', name: 'deputy' }],
        roleRef: { kind: 'ClusterRole', name: 'as-bob' },
      });
    },
    ask: (headers: Record<string, string>, path = whoami) =>
      call(path === whoami ? 'POST' : 'GET', path, path === whoami ? {} : undefined, {
        ...headers,
        authorization: `Bearer ${token}`,
      }),
  };
}

// What is expected is what kube-apiserver 1.34.4 answered to the same headers.
describe('a request with impersonation', () => {
  it('has the rights of the impersonated user, not those of the sender', async () => {
    const { call } = createCluster();
    const answer = await call('GET', pods, undefined, { 'impersonate-user': 'nobody' });
    expect(answer.status).toBe(403);
    expect(bodyOf(answer).message).toBe(
      'pods is forbidden: User "nobody" cannot list resource "pods" in API group "" in the namespace "default"',
    );
  });

  it('has the named groups, uid and extra values, and counts as authenticated', async () => {
    expect(
      await identityOf({
        'impersonate-user': 'u',
        'impersonate-group': 'g, h',
        'impersonate-uid': '77',
        'impersonate-extra-acme.com%2fproject': 'a, b',
      }),
    ).toEqual({
      username: 'u',
      uid: '77',
      groups: ['g', 'h', 'system:authenticated'],
      extra: { 'acme.com/project': ['a', 'b'] },
    });
  });

  it('of a service account has its groups; a name that only starts like one is a user', async () => {
    expect(await identityOf({ 'impersonate-user': 'system:serviceaccount:a:b' })).toEqual({
      username: 'system:serviceaccount:a:b',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated'],
    });
    expect((await identityOf({ 'impersonate-user': 'system:serviceaccount:a' })).groups).toEqual([
      'system:authenticated',
    ]);
  });

  it('of the anonymous user lacks the rights of authenticated users', async () => {
    const answer = await createCluster().call('POST', whoami, {}, { 'impersonate-user': 'system:anonymous' });
    expect(bodyOf(answer).message).toContain('User "system:anonymous" cannot create');
  });

  it('needs the right to impersonate each user, group and service account', async () => {
    const { prepare, ask } = withDeputy();
    await prepare();
    expect(bodyOf(await ask({ 'impersonate-user': 'bob' })).status.userInfo.username).toBe('bob');
    const asked: readonly Record<string, string>[] = [
      { 'impersonate-user': 'eve' },
      { 'impersonate-user': 'system:serviceaccount:a:b' },
      { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' },
    ];
    const answers = await Promise.all(asked.map((headers) => ask(headers, pods)));
    const texts = answers.map((answer) => bodyOf(answer).message);
    expect(texts).toEqual([
      'users "eve" is forbidden: User "deputy" cannot impersonate resource "users" in API group "" at the cluster scope',
      'serviceaccounts "b" is forbidden: User "deputy" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "a"',
      'groups "system:masters" is forbidden: User "deputy" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ]);
  });

  it('with a group and no user is refused', async () => {
    const { call } = createCluster();
    expect((await call('GET', pods, undefined, { 'impersonate-group': 'g' })).status).toBe(500);
  });
});

import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectBadRequest, expectRefusal, invalid } from '../expectations.ts';
import { made } from '../objects.ts';
import type { Answer, KubernetesWorld } from '../world.ts';

const authorization = '/apis/authorization.k8s.io/v1';
const authentication = '/apis/authentication.k8s.io/v1';
const anonymous = { authorization: '' };

/** 422 of a review, which has no kind and no name. */
function expectInvalidReview(answer: Answer, cause: ReturnType<typeof invalid>): void {
  expectRefusal(answer, {
    code: 422,
    reason: 'Invalid',
    message: `.authorization.k8s.io "" is invalid: ${cause.field}: ${cause.message}`,
    details: { group: 'authorization.k8s.io', causes: [cause] },
  });
}

async function botToken(world: KubernetesWorld) {
  const namespace = await world.namespace();
  await made(world, `${namespace}/serviceaccounts`, { metadata: { name: 'bot' } });
  const { status } = await made(world, `${namespace}/serviceaccounts/bot/token`, {});
  return { namespace, token: status.token as string, headers: { authorization: `Bearer ${status.token}` } };
}

/** Reviews of who a user is and what the user may do. */
export const reviewCases: Cases<KubernetesWorld> = {
  'a SelfSubjectAccessReview of an administrator is allowed': async ({ post }) => {
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
    const { status, body } = await post(`${authorization}/selfsubjectaccessreviews`, { spec });
    expect([status, body]).toEqual([
      201,
      {
        kind: 'SelfSubjectAccessReview',
        apiVersion: 'authorization.k8s.io/v1',
        metadata: expect.any(Object),
        spec,
        status: { allowed: true },
      },
    ]);
  },

  'a SelfSubjectAccessReview of a user without rights is not allowed': async (world) => {
    const { headers } = await botToken(world);
    for (const spec of [
      { resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'default' } },
      { resourceAttributes: { verb: '*', resource: '*' } },
      { resourceAttributes: {} },
      { nonResourceAttributes: { verb: 'get', path: '/x' } },
    ]) {
      const { status, body } = await world.post(
        `${authorization}/selfsubjectaccessreviews`,
        { spec },
        headers,
      );
      expect([status, body.status.allowed]).toEqual([201, false]);
    }
  },

  'an allowed access review has a reason': async (world) => {
    const { headers } = await botToken(world);
    const spec = {
      resourceAttributes: {
        verb: 'create',
        group: 'authorization.k8s.io',
        resource: 'selfsubjectaccessreviews',
      },
    };
    const { body } = await world.post(`${authorization}/selfsubjectaccessreviews`, { spec }, headers);
    expect(body.status).toEqual({
      allowed: true,
      reason:
        'RBAC: allowed by ClusterRoleBinding "system:basic-user" of ClusterRole "system:basic-user" to Group "system:authenticated"',
    });
  },

  'an access review needs either a resource or a path': async ({ post }) => {
    const ask = (spec: object) => post(`${authorization}/selfsubjectaccessreviews`, { spec });
    expectInvalidReview(
      await ask({}),
      invalid(
        'spec.resourceAttributes',
        'null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    );
    const both = {
      resourceAttributes: { verb: 'get', resource: 'pods' },
      nonResourceAttributes: { path: '/x' },
    };
    const { status, body } = await ask(both);
    expect([status, body.details.causes[0].field]).toEqual([422, 'spec.nonResourceAttributes']);
  },

  'a SubjectAccessReview needs a user or groups': async ({ post }) => {
    const resourceAttributes = { verb: 'get', resource: 'pods' };
    const ask = (spec: object) => post(`${authorization}/subjectaccessreviews`, { spec });
    const { body } = await ask({ user: 'u', groups: ['g'], resourceAttributes });
    expect(body.status).toEqual({ allowed: false });
    const masters = await ask({ user: 'u', groups: ['system:masters'], resourceAttributes });
    expect(masters.body.status.allowed).toBe(true);
    expectInvalidReview(
      await ask({ resourceAttributes }),
      invalid('spec.user', '"": at least one of user or group must be specified'),
    );
  },

  'only authenticated users can create a SelfSubjectReview': async (world) => {
    const { body, status } = await world.post(`${authentication}/selfsubjectreviews`, {});
    expect([status, body.kind, body.spec]).toEqual([201, 'SelfSubjectReview', undefined]);
    expect(body.status.userInfo.groups).toEqual(['system:masters', 'system:authenticated']);
    expect((await world.post(`${authentication}/selfsubjectreviews`, {}, anonymous)).status).toBe(403);
  },

  'a TokenReview accepts a valid token, and reports an unknown one': async (world) => {
    const { token } = await botToken(world);
    const review = (spec: object) => world.post(`${authentication}/tokenreviews`, { spec });
    const good = await review({ token });
    expect(good.body.status).toMatchObject({
      authenticated: true,
      user: {
        username: expect.stringMatching(/^system:serviceaccount:.*:bot$/),
        groups: [
          'system:serviceaccounts',
          expect.stringMatching(/^system:serviceaccounts:/),
          'system:authenticated',
        ],
      },
    });
    const bad = await review({ token: 'garbage' });
    expect([bad.status, bad.body.status]).toEqual([201, { user: {}, error: 'invalid bearer token' }]);
    expectBadRequest(await review({}), 'token is required for TokenReview in authentication');
  },

  'a SelfSubjectRulesReview lists the rights in a namespace': async (world) => {
    const { headers } = await botToken(world);
    const { body } = await world.post(
      `${authorization}/selfsubjectrulesreviews`,
      { spec: { namespace: 'default' } },
      headers,
    );
    expect(body.status.incomplete).toBe(false);
    expect(body.status.resourceRules).toContainEqual({
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    });
    const urls = body.status.nonResourceRules.flatMap(
      ({ nonResourceURLs }: { nonResourceURLs: string[] }) => nonResourceURLs,
    );
    expect(urls).toEqual(expect.arrayContaining(['/healthz', '/version', '/api/*']));
  },
};

import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validitySeconds } from '../../../shared/credentials/rotation-plan.ts';
import { bootstrapRoles, roleGroupOf } from '../../../shared/credentials/token-cluster.ts';
import { createTokenCluster } from '../../../shared/kubernetes/bootstrap-tokens.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiServer, isDenied, isMissing, startWithPolicies } from './api-server.ts';

let server: ApiServer;
let admin: ClusterAdmin;
let drover: ClusterAdmin;

/** The maxima of the parameters bootstrapRotation and bootstrapOverlap. */
const longestValiditySeconds = validitySeconds({ rotationSeconds: 2_592_000, overlapSeconds: 86_400 });
const secrets = '/api/v1/namespaces/kube-system/secrets';
const labels = { 'drover.dev/bootstrap': 'worker', 'drover.dev/cluster': 'drover' };
const groups = 'system:bootstrappers:drover:worker';
let serial = 100_000;

/** As Drover writes an expiration. */
const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');

interface Change {
  readonly name?: string;
  readonly type?: string;
  readonly labels?: object;
  readonly annotations?: object;
  readonly creationTimestamp?: string;
  readonly stringData?: Readonly<Record<string, string | undefined>>;
}

/** A bootstrap token as Drover makes it, but for the change. */
function secretWith({ name, type = 'bootstrap.kubernetes.io/token', stringData, ...metadata }: Change = {}) {
  const id = String((serial += 1));
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type,
    metadata: { name: name ?? `bootstrap-token-${id}`, namespace: 'kube-system', labels, ...metadata },
    stringData: {
      'token-id': id,
      'token-secret': '0123456789abcdef',
      expiration: inDays(1),
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': groups,
      ...stringData,
    },
  };
}

const create = async (by: ClusterAdmin, change?: Change) => {
  const body = secretWith(change);
  const answer = await requestOf(by, { method: 'POST', path: secrets, body });
  return { ...answer, path: `${secrets}/${body.metadata.name}` };
};

describe.skipIf(isMissing)('the ValidatingAdmissionPolicy on a real API server', () => {
  beforeAll(async () => {
    server = await startWithPolicies();
    ({ admin, drover } = server);
    await eventually(async () => expect((await create(drover, { type: 'Opaque' })).status).toBe(422));
  });

  afterAll(() => server.stop());

  test('lets Drover make and delete its tokens', async () => {
    const connection = {
      connect: async () => ({ server: drover.server, tls: {}, bearerToken: drover.token }),
      invalidate: () => undefined,
    };
    const tokens = createTokenCluster({ connections: connection, sendHttp: drover.sendHttp });
    for (const role of bootstrapRoles) {
      const made = await tokens.createToken({
        token: { id: 'drover', secret: '0123456789abcdef' },
        owner: { clusterName: 'drover', role },
        groups: [roleGroupOf(role)],
        expiresAt: Date.now() + longestValiditySeconds * 1000,
        description: 'a test',
      });
      expect(await tokens.deleteToken(made)).toBe('deleted');
    }
  });

  test('reads every digit of an expiration', async () => {
    for (const days of [0, 1, 2, 9, 10, 11, 19, 28, 29, 30, 31, 45, 59, 60, 61])
      expect((await create(drover, { stringData: { expiration: inDays(days) } })).status).toBe(201);
    for (const days of [63.5, 70, 100, 300, 365, 366, 1000, 3650])
      expect(await create(drover, { stringData: { expiration: inDays(days) } })).toMatchObject(
        isDenied(/within 62 days/),
      );
  });

  test('lets Drover read no Secret of kube-system', async () => {
    const { path } = await create(admin);
    for (const read of [secrets, path, `${secrets}?watch=true&timeoutSeconds=1`])
      expect(await requestOf(drover, { method: 'GET', path: read })).toMatchObject({ status: 403 });
  });

  test.each<[string, Change, RegExp]>([
    [
      'the token of a ServiceAccount',
      {
        name: 'stolen',
        type: 'kubernetes.io/service-account-token',
        annotations: { 'kubernetes.io/service-account.name': 'default' },
      },
      /only bootstrap tokens/,
    ],
    ['a Secret of another type', { type: 'Opaque' }, /only bootstrap tokens/],
    ['a Secret of another name', { name: 'registry' }, /only bootstrap tokens/],
    ['a token without labels', { labels: {} }, /with its labels/],
    ['a token for etcd', { labels: { ...labels, 'drover.dev/bootstrap': 'etcd' } }, /its labels/],
    [
      'a token of a control plane with the group of workers',
      { labels: { ...labels, 'drover.dev/bootstrap': 'control-plane' } },
      /the groups/,
    ],
    [
      'a token of a worker with the group of control planes',
      { stringData: { 'auth-extra-groups': roleGroupOf('control-plane') } },
      /the groups/,
    ],
    ['other groups', { stringData: { 'auth-extra-groups': 'system:bootstrappers:kubeadm' } }, /the groups/],
    ['no groups', { stringData: { 'auth-extra-groups': undefined } }, /the groups/],
    ['a token that never expires', { stringData: { expiration: undefined } }, /expires/],
    ['a token that expires in 64 days', { stringData: { expiration: inDays(64) } }, /within 62 days/],
    [
      'a token that expires in 2099',
      { stringData: { expiration: '2099-01-01T00:00:00Z' } },
      /within 62 days/,
    ],
    [
      'a token that expires in another form',
      { stringData: { expiration: 'Fri Jan 01 2027' } },
      /expirationDay/,
    ],
    ['a token with an empty expiration', { stringData: { expiration: '' } }, /expirationDay/],
    [
      'a token with a creation time of its own',
      { creationTimestamp: '2098-12-01T00:00:00Z', stringData: { expiration: '2099-01-01T00:00:00Z' } },
      /within 62 days/,
    ],
    ['a token that signs', { stringData: { 'usage-bootstrap-signing': 'true' } }, /does not sign/],
  ])('lets Drover not make %s', async (_, change, message) => {
    expect(await create(drover, change)).toMatchObject(isDenied(message));
  });

  test('does not let Drover delete a Secret that is not a token of its own', async () => {
    for (const change of [{ type: 'Opaque', name: 'other' }, { labels: {} }]) {
      const { status, path } = await create(admin, change);
      expect(status).toBe(201);
      expect(await requestOf(drover, { method: 'DELETE', path })).toMatchObject(isDenied(/Drover/));
    }
  });

  test('does not concern others', async () => {
    expect((await create(admin, { type: 'Opaque', name: 'theirs', labels: {} })).status).toBe(201);
  });
});

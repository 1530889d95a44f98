import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { etcd36 } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { adminOf, type ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { type ControlPlane, startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyManifests } from '../../../local/deployment/apply-manifests.ts';
import { bootstrapRoles, roleGroupOf } from '../../../shared/credentials/token-cluster.ts';
import { createTokenCluster } from '../../../shared/kubernetes/bootstrap-tokens.ts';
import { eventually } from '../../support/eventually.ts';

const isMissing = kubernetes.missing !== undefined || !etcd36.isInstalled;
const directory = mkdtempSync(join(tmpdir(), 'admission-'));
let controlPlane: ControlPlane;
let admin: ClusterAdmin;
let drover: ClusterAdmin;

const secrets = '/api/v1/namespaces/kube-system/secrets';
const labels = { 'drover.dev/bootstrap': 'worker', 'drover.dev/cluster': 'drover' };
const groups = 'system:bootstrappers:drover:worker';
let serial = 100_000;

interface Change {
  readonly name?: string;
  readonly type?: string;
  readonly labels?: object;
  readonly annotations?: object;
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
      expiration: '2099-01-01T00:00:00Z',
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

const isDenied = (expression: RegExp) => ({ status: 422, body: expect.stringMatching(expression) });

describe.skipIf(isMissing)('the ValidatingAdmissionPolicy on a real API server', () => {
  beforeAll(async () => {
    controlPlane = await startControlPlane({ directory, withScheduler: false, controllers: [] });
    admin = adminOf(controlPlane);
    drover = { ...admin, token: controlPlane.droverToken };
    for (const file of ['deploy/rbac.yaml', 'deploy/admission.yaml'])
      await applyManifests(readFileSync(file, 'utf8'), admin);
    // The API server compiles a new policy within seconds.
    await eventually(async () => expect((await create(drover, { type: 'Opaque' })).status).toBe(422));
  });

  afterAll(async () => {
    await controlPlane.stop();
    rmSync(directory, { recursive: true });
  });

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
        expiresAt: Date.parse('2099-01-01T00:00:00Z'),
        description: 'a test',
      });
      expect(await tokens.deleteToken(made)).toBe('deleted');
    }
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

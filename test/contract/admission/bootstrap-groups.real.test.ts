import { requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admissionManifests } from '../../../cli/rbac/admission-manifests.ts';
import { policiesFor } from '../../../cli/rbac/policies.ts';
import { createTokenCluster } from '../../../shared/kubernetes/bootstrap-tokens.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiServer, isMissing, startWithPolicies } from './api-server.ts';

/** The groups in the quick start of kubeadm. */
const own = ['system:bootstrappers:drover:worker', 'system:bootstrappers:kubeadm:default-node-token'];
let server: ApiServer;

/** Drover makes a token with these groups. */
async function makeToken(id: string, groups: readonly string[]) {
  const { drover } = server;
  const connections = {
    connect: async () => ({ server: drover.server, tls: {}, bearerToken: drover.token }),
    invalidate: () => undefined,
  };
  return await createTokenCluster({ connections, sendHttp: drover.sendHttp }).createToken({
    token: { id, secret: '0123456789abcdef' },
    owner: { clusterName: 'drover', role: 'worker' },
    groups,
    expiresAt: Date.now() + 86_400_000,
    description: 'a test',
  });
}

describe.skipIf(isMissing)(
  'the policy that drover rbac prints for bootstrap groups, on a real API server',
  () => {
    beforeAll(async () => {
      server = await startWithPolicies(
        policiesFor(await admissionManifests(), {
          choice: 'needed',
          makesTokens: true,
          bootstrapGroups: own.join(),
        }),
      );
      const body = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { generateName: 'other-', namespace: 'kube-system' },
      };
      const path = '/api/v1/namespaces/kube-system/secrets';
      await eventually(async () =>
        expect((await requestOf(server.drover, { method: 'POST', path, body })).status).toBe(422),
      );
    });
    afterAll(() => server.stop());

    test('lets through the tokens of the deployment', async () => {
      expect(await makeToken('ours01', own)).toMatchObject({ id: 'ours01' });
    });

    test.each([
      ['fewer groups', own.slice(0, 1)],
      ['another group too', [...own, 'system:bootstrappers:more']],
      ['the group of control planes', ['system:bootstrappers:drover:control-plane']],
    ])('denies a token with %s', async (_, groups) => {
      await expect(makeToken('theirs', groups)).rejects.toThrow(/has the groups of this policy/);
    });
  },
);

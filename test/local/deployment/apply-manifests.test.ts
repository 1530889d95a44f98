import { readFileSync } from 'node:fs';
import { createKubernetes } from '@drover/cloud-sandbox/kubernetes';
import { createRandom, createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { expect, test } from 'vitest';
import { applyManifests } from '../../../local/deployment/apply-manifests.ts';

const server = 'https://kubernetes.sandbox';

function createCluster() {
  const { sendHttp, adminToken, addToken } = createKubernetes({
    clock: createVirtualClock(),
    random: createRandom(1),
  });
  const token = addToken({ username: 'drover', groups: ['drover', 'system:authenticated'] });
  const statusOf = async (path: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await sendHttp({ method: 'GET', url: `${server}${path}`, headers, timeoutMilliseconds: 1 }))
      .status;
  };
  const apply = (yaml: string): Promise<void> =>
    applyManifests(yaml, { sendHttp, server, token: adminToken });
  return { statusOf, apply };
}

test('the RBAC manifest gives Drover its rights, and none beyond', async () => {
  const { statusOf, apply } = createCluster();
  expect(await statusOf('/api/v1/nodes')).toBe(403);
  await apply(readFileSync('deploy/rbac.yaml', 'utf8'));
  expect(await statusOf('/api/v1/nodes')).toBe(200);
  expect(await statusOf('/api/v1/namespaces/kube-system/secrets')).toBe(403);
  expect(await statusOf('/api/v1/namespaces/default/secrets')).toBe(403);
  expect(await statusOf('/apis/apps/v1/statefulsets')).toBe(403);
});

test('a file that is not a manifest, or that the API server refuses, is an error that names it', async () => {
  const { apply } = createCluster();
  await expect(apply('kind: Role')).rejects.toThrow('a manifest: apiVersion');
  await expect(apply('{apiVersion: nowhere/v1, kind: Thing, metadata: {name: a}}')).rejects.toThrow(
    'Thing a: 404',
  );
});

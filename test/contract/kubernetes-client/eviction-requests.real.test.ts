import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminOf } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { type ControlPlane, startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import {
  type ClusterApi,
  clusterApi,
} from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/cluster-api.ts';
import {
  type TestNamespace,
  testNamespace,
} from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/namespace.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from './eviction-client.ts';

const gate = 'EvictionRequestAPI';
/** Whether this API server has the API at all (KEP-4563): its help lists its feature gates. */
const hasGate = (): boolean =>
  kubernetes.isInstalled &&
  execFileSync(program(kubernetes, 'kube-apiserver'), ['--help'], { encoding: 'utf8' }).includes(`${gate}=`);

const isOffered = hasGate();
const directory = mkdtempSync(join(tmpdir(), 'eviction-requests-'));
let controlPlane: ControlPlane | undefined;
let namespace: TestNamespace;
let api: ClusterApi;

beforeAll(async () => {
  if (!isOffered) return;
  controlPlane = await startControlPlane({
    directory,
    withScheduler: false,
    controllers: [],
    apiServerFlags: [
      '--disable-admission-plugins=ServiceAccount',
      `--feature-gates=${gate}=true`,
      '--runtime-config=lifecycle.k8s.io/v1alpha1=true',
    ],
  });
  api = clusterApi(adminOf(controlPlane), (seconds) => sleep(seconds * 1000));
  namespace = await testNamespace(api, 'shop');
});
afterAll(async () => {
  await controlPlane?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const responder = 'example.com/migrator';
const requests = '/apis/lifecycle.k8s.io/v1alpha1/namespaces/shop';

/** A pod that its responder is moving away at the moment, because another program has requested its eviction. */
async function requestedPod(name: string): Promise<string> {
  const spec = { evictionResponders: [{ name: responder, priority: 20_000 }] } as object;
  const { metadata: { uid = '' } = {} } = await namespace.pod(name, { spec });
  const metadata = { name };
  const target = { pod: { name, uid } };
  await api.write({
    method: 'POST',
    path: `${requests}/evictionrequests`,
    body: { metadata, spec: { target, requester: 'example.com/descheduler', intent: 'Eviction' } },
  });
  // As evictionrequest-controller would, which kube-controller-manager does not have in 1.37.
  await api.write({ method: 'POST', path: `${requests}/evictions`, body: { metadata, spec: { target } } });
  const targetResponders = [
    { name: responder, priority: 20_000, state: 'Active' },
    { name: 'imperative-eviction.k8s.io/evictor', priority: 100, state: 'Inactive' },
  ];
  const startTime = new Date().toISOString();
  const responders = targetResponders.map(({ name: each }) => ({
    name: each,
    ...(each === responder && { startTime, heartbeatTime: startTime }),
  }));
  await api.write({
    method: 'PATCH',
    path: `${requests}/evictions/${name}/status`,
    body: { status: { targetResponders, responders } },
  });
  return uid;
}

/** What the API server keeps of the request and of the eviction by responders. */
const kept = async (name: string): Promise<readonly unknown[]> =>
  await Promise.all(
    ['evictionrequests', 'evictions'].map(async (kind) => {
      const { status, conditions } = (await api.write({
        method: 'GET',
        path: `${requests}/${kind}/${name}`,
      })) as { readonly status?: object; readonly conditions?: object };
      return { status, conditions };
    }),
  );

describe.skipIf(!isOffered)('a pod whose eviction another program has requested', () => {
  test('is evicted by Drover at once, while its responder is active, and the request stays as it is', async () => {
    const uid = await requestedPod('moving');
    const before = await kept('moving');
    expect(JSON.stringify(before)).toContain('"Active"');
    const answer = await clientOf(api.admin).evictPod({ namespace: 'shop', name: 'moving', uid });
    expect(answer).toEqual({ kind: 'evicted' });
    expect((await namespace.readPod('moving'))?.metadata?.deletionTimestamp).toBeDefined();
    expect(await kept('moving')).toEqual(before);
  });

  test('is held by its budget as any other pod', async () => {
    const uid = await requestedPod('held');
    await namespace.budget('held', { spec: { selector: { matchLabels: { app: 'held' } } }, status: {} });
    const answer = await clientOf(api.admin).evictPod({ namespace: 'shop', name: 'held', uid });
    expect(answer).toMatchObject({ kind: 'held' });
  });
});

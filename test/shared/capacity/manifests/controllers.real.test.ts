import { setTimeout as sleep } from 'node:timers/promises';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import {
  type BareCluster,
  startBareCluster,
} from '@drover/cloud-sandbox/test/contract/kubernetes/bare-cluster.ts';
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.d.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readWorkloads } from '../../../../shared/capacity/manifests/read-workloads.ts';
import type { Workload } from '../../../../shared/capacity/manifests/workload.ts';
import { emptySurroundings, plannedPodOf } from '../../../../shared/capacity/plan/pod.ts';
import { controllerText } from './fixtures.ts';

let cluster: BareCluster | undefined;

beforeAll(async () => {
  if (!kubernetes.isInstalled) return;
  cluster = await startBareCluster([
    'deployment-controller',
    'replicaset-controller',
    'statefulset-controller',
    'job-controller',
    'replicationcontroller-controller',
  ]);
});
afterAll(() => cluster?.close());

const claim =
  '{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}';
const pod = [
  'terminationGracePeriodSeconds: 5',
  'tolerations: [{key: dedicated, operator: Exists}]',
  'volumes: [{name: data, emptyDir: {}}, {name: shared, persistentVolumeClaim: {claimName: shared}}]',
  'initContainers: [{name: proxy, image: a, restartPolicy: Always, resources: {requests: {cpu: 50m}}}]',
  'topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]',
].join('\n      ');
const podSpec = `{restartPolicy: Never, nodeSelector: {disk: ssd}, containers: [{name: a, image: a, resources: {limits: {cpu: 2, nvidia.com/gpu: 1}}}]}`;

/** Each with the path of its kind in the API. */
const manifests: readonly (readonly [title: string, path: string, text: string])[] = [
  ['a Deployment', '/apis/apps/v1/namespaces/NAMESPACE/deployments', controllerText({ pod })],
  [
    'a ReplicaSet',
    '/apis/apps/v1/namespaces/NAMESPACE/replicasets',
    controllerText({ kind: 'ReplicaSet', pod }),
  ],
  [
    'a StatefulSet',
    '/apis/apps/v1/namespaces/NAMESPACE/statefulsets',
    controllerText({
      kind: 'StatefulSet',
      spec: `replicas: 3\n  serviceName: web\n  podManagementPolicy: Parallel\n  ordinals: {start: 4}\n  volumeClaimTemplates: [${claim}]`,
      pod,
    }),
  ],
  [
    'a Job',
    '/apis/batch/v1/namespaces/NAMESPACE/jobs',
    `{apiVersion: batch/v1, kind: Job, metadata: {name: load}, spec: {parallelism: 5, completions: 3, template: {spec: ${podSpec}}}}`,
  ],
  [
    'an Indexed Job',
    '/apis/batch/v1/namespaces/NAMESPACE/jobs',
    `{apiVersion: batch/v1, kind: Job, metadata: {name: load}, spec: {completionMode: Indexed, parallelism: 2, completions: 9, template: {metadata: {labels: {app: load}}, spec: ${podSpec}}}}`,
  ],
  [
    'a ReplicationController',
    '/api/v1/namespaces/NAMESPACE/replicationcontrollers',
    '{apiVersion: v1, kind: ReplicationController, metadata: {name: old}, spec: {replicas: 2, template: {metadata: {labels: {app: old}}, spec: {containers: [{name: a, image: a}]}}}}',
  ],
];

/** What the scheduler reads of pods, but for names and hashes that controllers make up. */
function comparable(pods: readonly Pod[], workload: Workload): readonly object[] {
  const isMadeUp = (key: string): boolean => /hash$|controller-uid$/.test(key);
  return pods
    .map((one) => {
      const { name, labels, shape: _, tolerations, ...rest } = plannedPodOf(one, emptySurroundings);
      return {
        ...rest,
        name: workload.kind === 'StatefulSet' ? name : 'any',
        labels: Object.fromEntries(
          Object.entries(labels)
            .filter(([key]) => key !== 'batch.kubernetes.io/job-completion-index')
            .map(([key, value]) => [key, isMadeUp(key) ? 'made up' : value]),
        ),
        volumes: (one.spec?.volumes ?? [])
          .map((volume) => volume.persistentVolumeClaim?.claimName ?? volume.name)
          .toSorted(),
        // Admission adds those of nodes that are not ready or not reachable.
        tolerations: tolerations.filter(({ key }) => !key?.startsWith('node.kubernetes.io/')),
      };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

async function itemsOf<T>(api: BareCluster['api'], path: string): Promise<readonly T[]> {
  const { body } = await api.send({ method: 'GET', path });
  return (JSON.parse(body) as { readonly items: readonly T[] }).items;
}

/** Sorted, because the API server promises no order. */
const namesOf = (claims: readonly PersistentVolumeClaim[]): readonly string[] =>
  claims.map(({ metadata }) => metadata?.name ?? '').toSorted((one, other) => one.localeCompare(other));

/** The pods that the controllers have made, once they have made so many. */
async function madePods(api: BareCluster['api'], namespace: string, count: number): Promise<readonly Pod[]> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const pods = await itemsOf<Pod>(api, `/api/v1/namespaces/${namespace}/pods`);
    if (pods.length >= count) return pods;
    await sleep(200);
  }
  throw new Error(`the controllers made fewer than ${count} pods`);
}

describe.skipIf(!kubernetes.isInstalled)(`the pods of manifests, at Kubernetes ${kubernetes.version}`, () => {
  for (const [title, path, text] of manifests)
    test(`of ${title} are those that its controller makes`, { timeout: 120_000 }, async () => {
      if (!cluster) throw new Error('the API server is not there');
      const { api } = cluster;
      const namespace = title.toLowerCase().replaceAll(' ', '-');
      await api.write({
        method: 'POST',
        path: '/api/v1/namespaces',
        body: { metadata: { name: namespace } },
      });
      const manifest = text.replace(', namespace: shop', '');
      const { workloads } = readWorkloads([{ name: title, text: manifest }], { defaultNamespace: namespace });
      const [workload] = workloads;
      if (!workload) throw new Error('no workload was read');
      const { kind, name, replicas, maker } = workload;
      const body = { ...(parse(manifest) as object), metadata: { name } };
      await api.write({ method: 'POST', path: path.replace('NAMESPACE', namespace), body });
      const pods = await madePods(api, namespace, replicas);
      expect([kind, pods.length]).toEqual([maker.kind, replicas]);
      expect(comparable(workload.pods, workload)).toEqual(comparable(pods, workload));
      const claims = await itemsOf<PersistentVolumeClaim>(
        api,
        `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
      );
      expect(namesOf(claims)).toEqual(namesOf(workload.claims));
    });
});

import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { missingPods, runningWorkload } from '../../../../shared/capacity/manifests/running.ts';
import type { WorkloadObject } from '../../../../shared/capacity/manifests/workload-kinds.ts';
import { requestsOfPod } from '../../../../shared/capacity/plan/requests.ts';
import { controllerText, workloadsIn } from './fixtures.ts';

const spec = {
  replicas: 3,
  serviceName: 'web',
  selector: { matchLabels: { app: 'web' } },
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1', memory: '1Gi' } } }] },
  },
};

const objectOf = (kind: 'Deployment' | 'StatefulSet', updateRevision = 'web-2'): WorkloadObject =>
  kind === 'Deployment'
    ? { kind, metadata: { name: 'web', namespace: 'shop' }, spec }
    : { kind, metadata: { name: 'web', namespace: 'shop' }, spec, status: { replicas: 3, updateRevision } };

interface RunningSettings {
  readonly created?: string;
  readonly cpu?: string;
  readonly nodeName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly namespace?: string;
  readonly phase?: string;
  readonly deletionTimestamp?: string;
}

const running = (name: string, settings: RunningSettings = {}): Pod => ({
  metadata: {
    name,
    namespace: settings.namespace ?? 'shop',
    labels: { app: 'web', ...settings.labels },
    creationTimestamp: settings.created ?? '2026-11-01T00:00:00Z',
    ...(settings.deletionTimestamp && { deletionTimestamp: settings.deletionTimestamp }),
  },
  spec: {
    nodeName: settings.nodeName ?? 'node-1',
    containers: [{ name: 'main', resources: { requests: { cpu: settings.cpu ?? '1' } } }],
  },
  status: { phase: settings.phase ?? 'Running' },
});

const cpuOf = (pod: Pod | undefined) => pod && requestsOfPod(pod).get('cpu');

describe('the workload of an object that runs', () => {
  it('has new pods like its newest one, with its hash and what admission added, on any node', () => {
    const pods = [
      running('web-a', { created: '2026-11-02T00:00:00Z', cpu: '2', labels: { 'pod-template-hash': 'new' } }),
      running('web-b', { created: '2026-11-01T00:00:00Z', cpu: '3', labels: { 'pod-template-hash': 'old' } }),
    ];
    const workload = runningWorkload(objectOf('Deployment'), pods);
    const [pod] = workload.pods;
    expect([workload.replicas, cpuOf(pod), pod?.spec?.nodeName]).toEqual([3, 2000, undefined]);
    expect(pod?.metadata?.labels).toEqual({ app: 'web', 'pod-template-hash': 'new' });
  });

  it('has pods of its template while it has none', () => {
    expect(cpuOf(runningWorkload(objectOf('Deployment'), []).pods[0])).toBe(1000);
  });

  it('has pods of the template of a StatefulSet whose pods are all of an older one', () => {
    const pods = [running('web-0', { cpu: '2', labels: { 'controller-revision-hash': 'web-1' } })];
    expect(cpuOf(runningWorkload(objectOf('StatefulSet'), pods).pods[0])).toBe(1000);
    expect(cpuOf(runningWorkload(objectOf('StatefulSet', 'web-1'), pods).pods[0])).toBe(2000);
  });
});

describe('what is missing of a total', () => {
  const missing = (
    total: number,
    pods: readonly Pod[],
    kind: 'Deployment' | 'StatefulSet' = 'Deployment',
  ) => {
    const { workload, bound, waiting } = missingPods(runningWorkload(objectOf(kind), pods), total, pods);
    return { count: workload.pods.length, replicas: workload.replicas, bound, waiting: waiting.length };
  };

  it('is the total without the pods that have a node and those that wait for one', () => {
    const pods = [running('a'), running('b'), running('c', { nodeName: '' })];
    expect(missing(5, pods)).toEqual({ count: 2, replicas: 2, bound: 2, waiting: 1 });
  });

  it('is nothing while a rollout has more pods than the total', () => {
    expect(missing(1, [running('a'), running('b')])).toEqual({ count: 0, replicas: 0, bound: 2, waiting: 0 });
  });

  it.each([
    ['has finished', { phase: 'Succeeded' }],
    ['has failed', { phase: 'Failed' }],
    ['is being deleted', { deletionTimestamp: '2026-11-01T00:00:00Z' }],
    ['is in another namespace', { namespace: 'other' }],
    ['has other labels', { labels: { app: 'api' } }],
  ])('includes a pod for one that %s', (_, settings) => {
    expect(missing(2, [running('a'), running('b', settings)])).toMatchObject({ count: 1, bound: 1 });
  });

  it('of a StatefulSet has the names and claims that are free', () => {
    const claim =
      '{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}';
    const text = controllerText({ kind: 'StatefulSet', spec: `volumeClaimTemplates: [${claim}]` });
    const pods = [running('web-0'), running('web-2')];
    const { workload } = missingPods(workloadsIn(text)[0] as never, 4, pods);
    expect(workload.pods.map(({ metadata }) => metadata?.name)).toEqual(['web-1', 'web-3']);
    expect(workload.claims.map(({ metadata }) => metadata?.name)).toEqual(['data-web-1', 'data-web-3']);
  });

  it('is the total for a workload without a selector', () => {
    const text =
      '{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: a}]}}';
    const { workload } = missingPods(workloadsIn(text)[0] as never, 1, [
      running('a', { namespace: 'default' }),
    ]);
    expect(workload.pods.length).toBe(1);
  });
});

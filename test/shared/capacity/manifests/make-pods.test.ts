import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { podNameOf, withReplicas } from '../../../../shared/capacity/manifests/make-pods.ts';
import type { PodMaker, Workload } from '../../../../shared/capacity/manifests/workload.ts';

const makerOf = (kind: string, settings: Partial<PodMaker> = {}): PodMaker => ({
  kind,
  namespace: 'shop',
  name: 'web',
  template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main' }] } },
  claimTemplates: [],
  firstOrdinal: 0,
  ...settings,
});

const workloadOf = (maker: PodMaker): Workload => ({
  kind: maker.kind,
  namespace: maker.namespace,
  name: maker.name,
  replicas: 0,
  pods: [],
  claims: [],
  maker,
  notes: [],
});

const claim: PersistentVolumeClaim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

describe('the pods of a workload', () => {
  it('have names of their own, in the namespace of the workload', () => {
    const { pods, replicas } = withReplicas(workloadOf(makerOf('Deployment')), 12);
    expect(replicas).toBe(12);
    expect(new Set(pods.map(({ metadata }) => metadata?.name)).size).toBe(12);
    expect(pods.every(({ metadata }) => metadata?.namespace === 'shop')).toBe(true);
  });

  it('have no name of another workload with the same name', () => {
    const kinds = ['Deployment', 'ReplicaSet', 'StatefulSet', 'Job', 'Pod'];
    const names = kinds.flatMap((kind) => [0, 1, 2].map((ordinal) => podNameOf(makerOf(kind), ordinal)));
    // A Pod has one name.
    expect(new Set(names).size).toBe(13);
  });

  it('have the names, labels and claims of a StatefulSet, whose claims replace volumes of the template', () => {
    const spec = {
      containers: [{ name: 'main' }],
      volumes: [{ name: 'data', emptyDir: {} }, { name: 'config' }],
    };
    const maker = makerOf('StatefulSet', { template: { spec }, claimTemplates: [claim], firstOrdinal: 5 });
    const { pods, claims } = withReplicas(workloadOf(maker), 2);
    expect(pods.map(({ metadata }) => [metadata?.name, metadata?.labels])).toEqual([
      ['web-5', { 'statefulset.kubernetes.io/pod-name': 'web-5', 'apps.kubernetes.io/pod-index': '5' }],
      ['web-6', { 'statefulset.kubernetes.io/pod-name': 'web-6', 'apps.kubernetes.io/pod-index': '6' }],
    ]);
    expect(pods[1]?.spec?.volumes).toEqual([
      { name: 'data', persistentVolumeClaim: { claimName: 'data-web-6' } },
      { name: 'config' },
    ]);
    expect(claims.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`)).toEqual([
      'shop/data-web-5',
      'shop/data-web-6',
    ]);
  });
});

import type { Container, PodSpec, PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import { budget } from '../../../local/world/workloads.ts';
import type { PlannedWorkload } from './plan/workloads.ts';

interface Manifest {
  readonly kind?: string;
}

/** The objects of a planned workload: itself and its budgets. */
export function manifestsOf(workload: PlannedWorkload): readonly Manifest[] {
  const { name, budgets } = workload;
  return [
    workloadOf(workload),
    ...budgets.map(({ maxUnavailable }, index) => budget(name, { maxUnavailable }, `${name}-${index}`)),
  ];
}

function workloadOf(workload: PlannedWorkload): Manifest {
  const { kind, name, replicas } = workload;
  const template = templateOf(workload);
  const named = { name, namespace: 'default' };
  const pod = { kind, apiVersion: 'v1', metadata: { ...template.metadata, ...named }, spec: template.spec };
  if (kind === 'Pod') return pod;
  const spec = {
    selector: { matchLabels: { app: name } },
    template,
    ...(kind !== 'DaemonSet' && { replicas }),
  };
  const ordered = { serviceName: name, podManagementPolicy: 'Parallel' };
  const claims = workload.claims && { volumeClaimTemplates: [claim] };
  const stateful = kind === 'StatefulSet' && { ...ordered, ...claims };
  const set = { apiVersion: 'apps/v1', kind, metadata: named, spec: { ...spec, ...stateful } };
  return set;
}

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

const container: Container = { name: 'main', image: 'registry.example/app:1' };

function templateOf(workload: PlannedWorkload): PodTemplateSpec {
  const { name, stopSeconds, startSeconds, finalizer, mirror } = workload;
  const simulation = (key: string, value: number) => ({ [`cloud-sandbox/${key}`]: String(value) });
  return {
    metadata: {
      labels: { app: name },
      annotations: {
        ...simulation('start-seconds', startSeconds),
        ...(stopSeconds !== undefined && simulation('stop-seconds', stopSeconds)),
        ...(mirror && { 'kubernetes.io/config.mirror': 'static' }),
      },
      ...(finalizer && { finalizers: ['example.com/slow'] }),
    },
    spec: podSpec(workload),
  };
}

const podSpec = ({ graceSeconds, critical, emptyDir, toleratesAll }: PlannedWorkload): PodSpec => ({
  terminationGracePeriodSeconds: graceSeconds,
  containers: [container],
  ...(toleratesAll && { tolerations: [{ operator: 'Exists' }] }),
  ...(critical && { priorityClassName: 'system-cluster-critical' }),
  ...(emptyDir && { volumes: [{ name: 'scratch', emptyDir: {} }] }),
});

import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod, Service } from 'kubernetes-types/core/v1.d.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';
import { podDefaults, templateDefaults } from './pod-defaults.ts';

type Fill = (object: Stored<KubernetesObject>) => object;

/** The defaults that a reader of the object relies upon; not every default of the real API. */
const specDefaults: Readonly<Record<string, Fill>> = {
  pods: (object) => podSpec(object as Stored<Pod>),
  'deployments.apps': (object) =>
    workloadSpec((object as Stored<Workload>).spec, {
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    }),
  'replicasets.apps': (object) => workloadSpec((object as Stored<Workload>).spec, { replicas: 1 }),
  'statefulsets.apps': (object) =>
    workloadSpec((object as Stored<Workload>).spec, {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      revisionHistoryLimit: 10,
    }),
  'daemonsets.apps': (object) =>
    workloadSpec((object as Stored<Workload>).spec, {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      revisionHistoryLimit: 10,
    }),
  services: (object) => serviceSpec(object as Stored<Service>),
  namespaces: ({ spec }) => ({ finalizers: ['kubernetes'], ...(spec as object) }),
};

export function withDefaults(key: string, object: Stored<KubernetesObject>): Stored<KubernetesObject> {
  const fill = specDefaults[key];
  return fill === undefined ? object : { ...object, spec: fill(object) };
}

function serviceSpec({ spec }: Stored<Service>): object {
  const ports = spec?.ports?.map((port) => ({ protocol: 'TCP', targetPort: port.port, ...port }));
  return { type: 'ClusterIP', sessionAffinity: 'None', ...spec, ...(ports !== undefined && { ports }) };
}

const mirror = 'kubernetes.io/config.mirror';

const podSpec = ({ spec, metadata }: Stored<Pod>): object =>
  podDefaults(spec ?? {}, metadata.annotations?.[mirror] !== undefined);

type Workload = Pick<DaemonSet, 'spec'>;

/** With the defaults of its template. */
function workloadSpec(spec: Workload['spec'], defaults: object): object {
  const { template, ...rest } = spec ?? {};
  if (template === undefined) return { ...defaults, ...rest };
  const templateSpec = templateDefaults(template.spec ?? {});
  return { ...defaults, ...rest, template: { ...template, spec: templateSpec } };
}

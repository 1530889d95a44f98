import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod, Service, Toleration } from 'kubernetes-types/core/v1.d.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';

type Fill = (object: Stored<KubernetesObject>) => object;

/** The defaults that a reader of the object relies upon; not every default of the real API. */
const specDefaults: Readonly<Record<string, Fill>> = {
  pods: (object) => podSpec(object as Stored<Pod>),
  'deployments.apps': (object) => {
    const { spec } = object as Stored<Deployment>;
    const rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%' };
    return {
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      ...spec,
    };
  },
  'replicasets.apps': (object) => ({ replicas: 1, ...(object as Stored<ReplicaSet>).spec }),
  'statefulsets.apps': (object) => ({
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    revisionHistoryLimit: 10,
    ...(object as Stored<StatefulSet>).spec,
  }),
  'daemonsets.apps': (object) => ({
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    revisionHistoryLimit: 10,
    ...(object as Stored<DaemonSet>).spec,
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

function podSpec({ spec, metadata }: Stored<Pod>): object {
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    serviceAccountName: 'default',
    ...spec,
    tolerations: withOutageTolerations(metadata.annotations, spec?.tolerations ?? []),
  };
}

/** As the DefaultTolerationSeconds admission plugin: a pod stays five minutes on a node that is not ready. */
function withOutageTolerations(
  annotations: Readonly<Record<string, string>> | undefined,
  tolerations: readonly Toleration[],
): readonly Toleration[] {
  if (annotations?.['kubernetes.io/config.mirror'] !== undefined) return tolerations;
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (taint) => !tolerations.some(({ key, effect }) => covers(key, taint) && covers(effect, 'NoExecute')),
  );
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  return [...tolerations, ...added];
}

function covers(value: string | undefined, wanted: string): boolean {
  return value === undefined || value === '' || value === wanted;
}

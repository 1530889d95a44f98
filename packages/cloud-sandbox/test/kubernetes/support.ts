import type { ApiResponse } from '../../src/kubernetes/api/request.ts';
import {
  createKubernetes,
  type Kubernetes,
  type KubernetesOptions,
} from '../../src/kubernetes/kubernetes.ts';
import { createRandom } from '../../src/simulation/random.ts';
import { createVirtualClock } from '../../src/simulation/virtual-clock.ts';

const startedAt = Date.parse('2026-03-01T10:00:00.250Z');

/** A cluster on virtual time, and its API as an administrator calls it. */
export function createCluster(options: Partial<KubernetesOptions> = {}) {
  const clock = createVirtualClock(startedAt);
  const kubernetes = createKubernetes({ clock, random: createRandom(1), ...options });
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    kubernetes.handle({
      method,
      path,
      headers: {
        authorization: `Bearer ${kubernetes.adminToken}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    clock,
    kubernetes,
    call,
    seconds: (count: number) => {
      const until = clock.now() + count * 1000;
      while (clock.step(until));
      clock.moveTo(until);
    },
  };
}

export type Cluster = ReturnType<typeof createCluster>;

export function startNodes(
  kubernetes: Kubernetes,
  names: readonly string[],
  capacity = { cpu: '4', memory: '16Gi', pods: '110' },
) {
  return names.map((nodeName) =>
    kubernetes.startKubelet({ nodeName, providerID: `aws:///eu-west-1a/i-${nodeName}`, capacity }),
  );
}

/** A Deployment of `replicas` pods labelled `app=NAME`. */
export function deployment(
  name: string,
  replicas: number,
  template: { grace?: number; annotations?: object } = {},
) {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: template.annotations ?? {} },
        spec: {
          terminationGracePeriodSeconds: template.grace ?? 10,
          containers: [{ name: 'main', image: 'example', resources: { requests: { cpu: '100m' } } }],
        },
      },
    },
  };
}

export function budget(name: string, app: string, spec: object) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { selector: { matchLabels: { app } }, ...spec },
  };
}

export function eviction(name: string, deleteOptions: object = {}) {
  return {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace: 'default' },
    deleteOptions,
  };
}

export const bodyOf = (response: ApiResponse) => JSON.parse(response.body);

import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { DroverWorld } from './drover-world.ts';

export interface Workload {
  readonly name: string;
  readonly replicas: number;
  readonly graceSeconds?: number;
  readonly pod?: Partial<PodSpec>;
  readonly podAnnotations?: Readonly<Record<string, string>>;
  /** How long a pod takes to stop; defaults to the simulation's value. */
  readonly stopsAfterSeconds?: number;
}

/** A Deployment in `default`, its pods labelled `app: <name>`. */
export const deployment = (workload: Workload): Deployment => {
  const { name, replicas, graceSeconds = 5, pod } = workload;
  const annotations = annotationsOf(workload);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, ...(annotations && { annotations }) },
        spec: {
          terminationGracePeriodSeconds: graceSeconds,
          containers: [{ name: 'main', image: 'registry.example/app:1' }],
          ...pod,
        },
      },
    },
  };
};

function annotationsOf({ podAnnotations, stopsAfterSeconds }: Workload): Workload['podAnnotations'] {
  if (stopsAfterSeconds === undefined) return podAnnotations;
  return { ...podAnnotations, 'cloud-sandbox/stop-seconds': String(stopsAfterSeconds) };
}

/** A Deployment with a budget that lets none of its pods go. */
export const heldDeployment = (workload: Workload): [Deployment, PodDisruptionBudget] => [
  deployment(workload),
  budget(workload.name, { maxUnavailable: 0 }),
];

/** The same as a StatefulSet: its pods keep their names. */
export const statefulSet = (workload: Workload) => ({
  ...deployment(workload),
  kind: 'StatefulSet',
  spec: { ...deployment(workload).spec, serviceName: workload.name },
});

/** The same as a DaemonSet: one pod on every node, cordoned or not. */
export const daemonSet = (workload: Omit<Workload, 'replicas'>) => {
  const { replicas: _, ...spec } = deployment({ ...workload, replicas: 0 }).spec ?? {};
  return { ...deployment({ ...workload, replicas: 0 }), kind: 'DaemonSet', spec };
};

/** A pod without a controller, which nothing recreates. */
export const barePod = (name: string, spec: Partial<PodSpec> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: name } },
  spec: {
    terminationGracePeriodSeconds: 5,
    containers: [{ name: 'main', image: 'registry.example/app:1' }],
    ...spec,
  },
});

/** A budget over the pods labelled `app: <app>`. */
export const budget = (
  app: string,
  spec: { readonly minAvailable?: number | string; readonly maxUnavailable?: number | string },
  name = app,
): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace: 'default' },
  spec: { ...spec, selector: { matchLabels: { app } } },
});

const paths: Readonly<Record<string, string>> = {
  Deployment: '/apis/apps/v1/namespaces/default/deployments',
  DaemonSet: '/apis/apps/v1/namespaces/default/daemonsets',
  StatefulSet: '/apis/apps/v1/namespaces/default/statefulsets',
  PodDisruptionBudget: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  Pod: '/api/v1/namespaces/default/pods',
  PersistentVolumeClaim: '/api/v1/namespaces/default/persistentvolumeclaims',
  Namespace: '/api/v1/namespaces',
};

/** Creates objects through the simulated API server, as an administrator. */
export async function create(
  world: DroverWorld,
  ...objects: readonly { readonly kind?: string }[]
): Promise<void> {
  for (const object of objects) {
    const path = paths[object.kind ?? ''];
    if (path === undefined) throw new TypeError(`no path is known for ${object.kind}`);
    const answer = await post(world, path, object);
    if (answer.status !== 201) throw new Error(`${object.kind} was not created: ${answer.body}`);
  }
}

/** In v1beta1 on a server that does not have v1, as an administrator of such a server writes it. */
async function post(world: DroverWorld, path: string, object: object) {
  const answer = await request(world, 'POST', path, object);
  if (answer.status !== 404 || !path.startsWith('/apis/')) return answer;
  const [, , group] = path.split('/');
  const older = path.replace('/v1/', '/v1beta1/');
  return await request(world, 'POST', older, { ...object, apiVersion: `${group}/v1beta1` });
}

/** Creates objects, and lets their pods start. */
export async function run(
  world: DroverWorld,
  ...objects: readonly { readonly kind?: string }[]
): Promise<void> {
  await create(world, ...objects);
  await world.timeline.pass(30);
}

/** A request to the simulated API server, as an administrator. */
export const request = (
  { kubernetes }: DroverWorld,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) =>
  kubernetes.sendHttp({
    method,
    url: `https://kubernetes.sandbox${path}`,
    headers: {
      authorization: `Bearer ${kubernetes.adminToken}`,
      'content-type': method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json',
    },
    timeoutMilliseconds: 10_000,
    ...(body && { body: JSON.stringify(body) }),
  });

export const podsOn = ({ kubernetes }: DroverWorld, nodeName: string): readonly Pod[] =>
  kubernetes.store
    .of('pods')
    .list()
    .filter(({ spec }) => spec?.nodeName === nodeName);

export const podsNamed = ({ kubernetes }: DroverWorld, app: string): readonly Pod[] =>
  kubernetes.store
    .of('pods')
    .list()
    .filter(({ metadata }) => metadata?.labels?.app === app);

import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { isReady } from '../../../../shared/draining/pod-facts.ts';
import { nodeTags } from '../../worlds/instances.ts';
import type { World } from '../../worlds/world.ts';
import { ask, list } from './api.ts';

const roots: Readonly<Record<string, string>> = {
  Deployment: '/apis/apps/v1',
  DaemonSet: '/apis/apps/v1',
  StatefulSet: '/apis/apps/v1',
  PodDisruptionBudget: '/apis/policy/v1',
  Pod: '/api/v1',
  PersistentVolumeClaim: '/api/v1',
};

export interface Manifest {
  readonly kind?: string;
  readonly metadata?: object;
  readonly spec?: object;
}

/** Creates objects in the namespace of the case. Their pods run only on its nodes. */
export async function create(world: World, ...objects: readonly Manifest[]): Promise<void> {
  for (const object of objects) {
    const { kind = '' } = object;
    const path = `${roots[kind]}/namespaces/${world.namespace}/${kind.toLowerCase()}s`;
    await ask(world, 'POST', path, inPlace(world, object));
  }
}

interface Template {
  readonly template?: { readonly spec?: object };
}

function inPlace({ namespace }: World, object: Manifest): Manifest {
  const metadata = { ...object.metadata, namespace };
  const onItsNodes = {
    nodeSelector: { [nodeTags.namespace]: namespace },
    automountServiceAccountToken: false,
  };
  if (object.kind === 'Pod') return { ...object, metadata, spec: { ...onItsNodes, ...object.spec } };
  const { template } = (object.spec ?? {}) as Template;
  if (template === undefined) return { ...object, metadata };
  const spec = { ...object.spec, template: { ...template, spec: { ...onItsNodes, ...template.spec } } };
  return { ...object, metadata, spec };
}

export const podsNamed = ({ namespace, ...world }: World, app: string): Promise<readonly Pod[]> =>
  list<Pod>(
    { namespace, ...world },
    `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(`app=${app}`)}`,
  );

/** The pods of an application on a node. */
export async function podsOf(world: World, app: string, nodeName: string): Promise<readonly Pod[]> {
  const pods = await podsNamed(world, app);
  return pods.filter(({ spec }) => spec?.nodeName === nodeName);
}

export const isGoing = ({ metadata }: Pod): boolean => metadata?.deletionTimestamp !== undefined;

/** So many pods of the application are Ready and stay. */
export async function readyCount(world: World, app: string): Promise<number> {
  const pods = await podsNamed(world, app);
  return pods.filter((pod) => isReady(pod) && !isGoing(pod)).length;
}

export const untilReady = (world: World, app: string, count: number): Promise<void> =>
  world.until(async () => (await readyCount(world, app)) === count, {
    withinSeconds: 60,
    what: `${count} pods of ${app} Ready`,
  });

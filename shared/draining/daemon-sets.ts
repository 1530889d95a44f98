import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { DaemonSetLookup } from '../nodes/cluster.ts';
import { controllerOf, identityOf, isDaemonSetPod, isFinished } from './pod-facts.ts';

/** The responses of the API server, by `namespace/name`. */
export type DaemonSetLookups = ReadonlyMap<string, DaemonSetLookup>;

export interface DaemonSetName {
  readonly namespace: string;
  readonly name: string;
}

export const daemonSetKey = ({ namespace, name }: DaemonSetName): string => `${namespace}/${name}`;

/** The DaemonSet that a pod names as its controller. As in kubectl, its UID is not compared. */
export function daemonSetOf(pod: Pod): DaemonSetName | undefined {
  const controller = isDaemonSetPod(pod) ? controllerOf(pod) : undefined;
  return controller && { namespace: identityOf(pod).namespace, name: controller.name };
}

/** The DaemonSets that must be looked up to decide about these pods, each once. Finished pods need none. */
export function daemonSetsToLookUp(pods: readonly Pod[]): readonly DaemonSetName[] {
  const names = pods
    .filter((pod) => !isFinished(pod))
    .map(daemonSetOf)
    .filter((name) => name !== undefined);
  return [...new Map(names.map((name) => [daemonSetKey(name), name])).values()];
}

/** Looks up every DaemonSet that the pods need, in parallel. */
export async function lookUpDaemonSets(
  pods: readonly Pod[],
  lookUp: (namespace: string, name: string) => Promise<DaemonSetLookup>,
): Promise<DaemonSetLookups> {
  const names = daemonSetsToLookUp(pods);
  const answers = await Promise.all(
    names.map(async (name) => [daemonSetKey(name), await lookUp(name.namespace, name.name)] as const),
  );
  return new Map(answers);
}

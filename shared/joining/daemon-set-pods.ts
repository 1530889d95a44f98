import type { Pod } from 'kubernetes-types/core/v1.d.ts';

/** The DaemonSets among these, as `namespace/name`, that have no Ready pod among the pods of a node. Pure. */
export const withoutReadyPod = (daemonSets: readonly string[], pods: readonly Pod[]): readonly string[] => {
  const ready = new Set(pods.filter(isReady).flatMap(daemonSetOf));
  return daemonSets.filter((name) => !ready.has(name));
};

const isReady = ({ metadata, status }: Pod): boolean =>
  metadata?.deletionTimestamp === undefined &&
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;

const daemonSetOf = ({ metadata }: Pod): readonly string[] =>
  (metadata?.ownerReferences ?? [])
    .filter(({ kind, controller }) => kind === 'DaemonSet' && controller === true)
    .map(({ name }) => `${metadata?.namespace}/${name}`);

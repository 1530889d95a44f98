import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { isReady } from '../eviction/eviction.ts';
import type { Registry } from '../registry/registry.ts';
import type { Stored } from '../store/object.ts';
import { scaled } from './disruption-numbers.ts';
import { stableHash } from './stable-hash.ts';

/** The label of a pod that names the template it was made of. */
const revisionLabel = 'controller-revision-hash';

export const revisionLabels = ({ spec }: Stored<DaemonSet>): Readonly<Record<string, string>> => ({
  [revisionLabel]: stableHash(spec?.template),
});

/** The pods of the set that stay and were made of its template. */
export function updatedPods(set: Stored<DaemonSet>, pods: readonly Stored<Pod>[]): readonly Stored<Pod>[] {
  const { [revisionLabel]: hash } = revisionLabels(set);
  return staying(pods).filter(({ metadata }) => metadata.labels?.[revisionLabel] === hash);
}

/** One step of a rolling update: old pods that are not ready go at once, of the others as many as may be unavailable. */
export function rollPods(registry: Registry, set: Stored<DaemonSet>, desired: number): void {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (type === 'OnDelete') return;
  const pods = staying(registry.store.of('pods').find('owner', set.metadata.uid));
  const updated = new Set(updatedPods(set, pods));
  const old = pods.filter((pod) => !updated.has(pod));
  const unavailable = desired - pods.filter(isReady).length;
  const spare = Math.max(0, scaled(rollingUpdate?.maxUnavailable ?? 1, desired) - unavailable);
  const going = [...old.filter((pod) => !isReady(pod)), ...old.filter(isReady).slice(0, spare)];
  for (const pod of going) registry.delete('pods', pod);
}

const staying = (pods: readonly Stored<Pod>[]): readonly Stored<Pod>[] =>
  pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);

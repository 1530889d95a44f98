import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Registry } from '../registry/registry.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';

type Sets = readonly Stored<ReplicaSet>[];

const revisionOf = ({ metadata }: Stored<ReplicaSet>): number =>
  Number(metadata.annotations?.[revisionAnnotation] ?? 0);

const newestOf = (sets: Sets): number => Math.max(0, ...sets.map(revisionOf));

export function nextRevision(sets: Sets): number {
  return 1 + newestOf(sets);
}

/** A template that comes back, as after `kubectl rollout undo`, is the newest revision again. */
export function renewRevision(
  registry: Registry,
  deployment: Stored<Deployment>,
  { current, old }: { readonly current: Stored<ReplicaSet>; readonly old: Sets },
): void {
  if (newestOf(old) < revisionOf(current)) return;
  const revision = String(nextRevision(old));
  registry.update('replicasets.apps', current, (found) => withRevision(found, revision));
  registry.update('deployments.apps', deployment, (found) => withRevision(found, revision));
}

export function withRevision<T extends Stored<KubernetesObject>>(object: T, revision: string): T {
  const annotations = { ...object.metadata.annotations, [revisionAnnotation]: revision };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

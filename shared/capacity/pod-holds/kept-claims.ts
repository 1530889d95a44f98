import { matchesLabels, requirementsOf } from '../../draining/label-selector.ts';
import type { VolumeCatalog } from '../plan/volume-needs.ts';
import { type BoundPod, openOf, type PodRequest } from './pod-request.ts';

/** The pods that run, with their names. */
type NamedPod = BoundPod & { readonly name: string };

/**
 * The names of the pods that a StatefulSet makes next and that find claims of an earlier pod with their name, the lowest numbers first. Claims stay when a
 * StatefulSet is scaled down, and their volumes keep the zones in which they were made (gardener/autoscaler#245). The controller gives the claims the
 * labels of its selector, and the name `TEMPLATE-POD`. Pure.
 */
export function podsWithKeptClaims(
  request: PodRequest,
  catalog: VolumeCatalog,
  running: readonly NamedPod[],
): readonly string[] {
  const { namespace, total } = request;
  const kept = keptPods(request, catalog);
  const there = new Set(
    running.filter((pod) => pod.namespace === namespace && !pod.isTerminating).map(({ name }) => name),
  );
  const open = openOf(request, running);
  return [...kept].flatMap(([set, ordinals]) => {
    const next = new Set<number>();
    for (let ordinal = firstOrdinal(ordinals, total); next.size < open; ordinal += 1)
      if (!there.has(`${set}-${ordinal}`)) next.add(ordinal);
    return [...next].filter((ordinal) => ordinals.has(ordinal)).map((ordinal) => `${set}-${ordinal}`);
  });
}

/** The numbers of the pods that have claims, by the name of the StatefulSet. */
function keptPods(
  { namespace, selector, claims = [] }: PodRequest,
  catalog: VolumeCatalog,
): ReadonlyMap<string, ReadonlySet<number>> {
  const kept = new Map<string, Set<number>>();
  const requirements = selector && requirementsOf(selector);
  if (requirements === undefined || claims.length === 0) return kept;
  // Of the templates `data` and `data-log`, the longer one made `data-log-db-0`.
  const templates = claims.map(({ name }) => name).toSorted((one, other) => other.length - one.length);
  for (const { metadata } of catalog.claims.values()) {
    if (metadata?.namespace !== namespace || !matchesLabels(metadata.labels, requirements)) continue;
    const { name = '' } = metadata;
    const template = templates.find((one) => name.startsWith(`${one}-`));
    const pod = template === undefined ? null : /^(.+)-(\d{1,9})$/.exec(name.slice(template.length + 1));
    const [, set, ordinal] = pod ?? [];
    if (set === undefined) continue;
    kept.set(set, (kept.get(set) ?? new Set()).add(Number(ordinal)));
  }
  return kept;
}

/** The numbers begin with 0 unless `spec.ordinals.start` says otherwise, which a request does not have: then none of the first ones has a claim. */
function firstOrdinal(ordinals: ReadonlySet<number>, total: number): number {
  const lowest = [...ordinals].reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  return Number.isFinite(lowest) && lowest >= total ? lowest : 0;
}

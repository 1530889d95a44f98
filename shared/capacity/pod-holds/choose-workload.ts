import type { Workload } from '../manifests/workload.ts';

/** One workload of manifests, or the reason why none is meant. */
export type WorkloadChoice =
  | { readonly kind: 'chosen'; readonly workload: Workload }
  | { readonly kind: 'refused'; readonly why: string };

/** kubectl's short names. */
const shortNames: Readonly<Record<string, string>> = {
  po: 'pod',
  deploy: 'deployment',
  rs: 'replicaset',
  rc: 'replicationcontroller',
  sts: 'statefulset',
  cj: 'cronjob',
};

/**
 * The workload that a hold is for. `wanted` is its name as kubectl writes it, such as `deployment/web`, `sts/db` or `shop/deployment/web`; undefined for
 * the only one. Pure.
 */
export function chooseWorkload(workloads: readonly Workload[], wanted: string | undefined): WorkloadChoice {
  const names = workloads.map(workloadName).toSorted().join(', ');
  const found = wanted === undefined ? workloads : workloads.filter((one) => isNamed(one, wanted));
  const [workload, ...others] = found;
  if (workload === undefined)
    return refused(
      wanted === undefined
        ? 'the manifests have no workload with pods'
        : `the manifests have no workload ${wanted}: they have ${names}`,
    );
  if (others.length === 0) return { kind: 'chosen', workload };
  const choices = found.map(workloadName).toSorted();
  return refused(
    `a hold is for the pods of one workload, and the manifests have ${choices.join(', ')}: choose one, such as --workload ${choices[0]}, and make a hold for each other one`,
  );
}

const refused = (why: string): WorkloadChoice => ({ kind: 'refused', why });

/** `shop/deployment/web`. */
const workloadName = ({ namespace, kind, name }: Workload): string =>
  [namespace, kind.toLowerCase(), name].filter(Boolean).join('/');

function isNamed({ namespace, kind, name }: Workload, wanted: string): boolean {
  const parts = wanted.split('/');
  const wantedName = parts.at(-1);
  const wantedKind = parts.at(-2)?.toLowerCase() ?? '';
  const singular = shortNames[wantedKind] ?? wantedKind.replace(/s$/, '');
  const ownKind = kind.toLowerCase();
  return (
    parts.length >= 2 &&
    parts.length <= 3 &&
    wantedName === name &&
    (singular === ownKind || wantedKind === ownKind) &&
    (parts.length === 2 || parts[0] === namespace)
  );
}

import { createHash } from 'node:crypto';
import type { PersistentVolumeClaim, Pod, Volume } from 'kubernetes-types/core/v1.d.ts';
import type { PodMaker, Workload } from './workload.ts';

/** The same workload with another number of pods. */
export function withReplicas(workload: Workload, replicas: number): Workload {
  const ordinals = Array.from({ length: replicas }, (_, index) => workload.maker.firstOrdinal + index);
  return withOrdinals(workload, ordinals);
}

/** The same workload with the pods of these numbers. */
export function withOrdinals(workload: Workload, ordinals: readonly number[]): Workload {
  const { maker } = workload;
  return {
    ...workload,
    replicas: ordinals.length,
    pods: ordinals.map((ordinal) => podOf(maker, ordinal)),
    claims: ordinals.flatMap((ordinal) => claimsOf(maker, ordinal)),
  };
}

/** The name of the pod with this number. Only StatefulSets and single pods have names that are known in advance. */
export function podNameOf(maker: PodMaker, ordinal: number): string {
  if (maker.kind === 'Pod') return maker.name;
  if (maker.kind === 'Pods') return `${maker.name}-${ordinal + 1}`;
  if (maker.kind === 'StatefulSet') return `${maker.name}-${ordinal}`;
  return `${maker.name}-${madeUpHash([maker.kind, maker.namespace, maker.name], 5)}-${ordinal + 1}`;
}

function podOf(maker: PodMaker, ordinal: number): Pod {
  const { kind, namespace, template } = maker;
  const name = podNameOf(maker, ordinal);
  const { labels, annotations } = template.metadata ?? {};
  const spec = template.spec ?? { containers: [] };
  const own = kind === 'StatefulSet' ? statefulSetLabels(name, ordinal) : {};
  return {
    metadata: { namespace, name, labels: { ...labels, ...own }, ...(annotations && { annotations }) },
    spec:
      maker.claimTemplates.length === 0
        ? spec
        : { ...spec, volumes: [...volumesOf(maker, ordinal, spec.volumes)] },
  };
}

const statefulSetLabels = (name: string, ordinal: number): Readonly<Record<string, string>> => ({
  'statefulset.kubernetes.io/pod-name': name,
  'apps.kubernetes.io/pod-index': String(ordinal),
});

/** As in the StatefulSet controller, a claim replaces a volume of the template that has its name. */
function volumesOf(maker: PodMaker, ordinal: number, others: readonly Volume[] = []): readonly Volume[] {
  const own = maker.claimTemplates.map(({ metadata }): Volume => {
    const name = metadata?.name ?? '';
    return { name, persistentVolumeClaim: { claimName: `${name}-${podNameOf(maker, ordinal)}` } };
  });
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...others.filter(({ name }) => !names.has(name))];
}

const claimsOf = (maker: PodMaker, ordinal: number): readonly PersistentVolumeClaim[] =>
  maker.claimTemplates.map((claim) => ({
    ...claim,
    metadata: {
      ...claim.metadata,
      namespace: maker.namespace,
      name: `${claim.metadata?.name}-${podNameOf(maker, ordinal)}`,
    },
  }));

/** The alphabet in which Kubernetes writes hashes, without vowels and digits that make words. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A text like a hash of Kubernetes: the same for the same value, and unlike each hash that a cluster has. */
export const madeUpHash = (value: unknown, length: number): string =>
  [...createHash('sha256').update(JSON.stringify(value)).digest().subarray(0, length)]
    .map((byte) => alphabet[byte % alphabet.length])
    .join('');

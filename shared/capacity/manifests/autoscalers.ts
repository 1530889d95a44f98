import * as z from 'zod/mini';
import type { ManifestObject } from './objects.ts';
import type { Workload } from './workload.ts';
import { autoscalerObject } from './workload-schemas.ts';

/** What an autoscaler of the manifests changes. */
interface Autoscaler {
  readonly label: string;
  readonly namespace: string;
  readonly target: { readonly kind: string; readonly name: string };
  readonly note: (workload: Workload) => string;
}

/** The autoscalers of pods in the manifests. Their objects have been checked. */
export function autoscalersOf(
  objects: readonly ManifestObject[],
  defaultNamespace: string,
): readonly Autoscaler[] {
  return objects
    .filter(({ meaning }) => meaning.meaning === 'autoscaler')
    .flatMap(({ kind, value }): readonly Autoscaler[] => {
      const { metadata, spec } = z.parse(autoscalerObject(), value);
      const target = spec.scaleTargetRef ?? spec.targetRef;
      if (target === undefined) return [];
      const range =
        spec.maxReplicas === undefined ? '' : ` between ${spec.minReplicas ?? 1} and ${spec.maxReplicas}`;
      return [
        {
          label: `${kind} ${metadata.name}`,
          namespace: metadata.namespace ?? defaultNamespace,
          target: { kind: target.kind ?? 'Deployment', name: target.name },
          note:
            kind === 'VerticalPodAutoscaler'
              ? () => 'may change the requests of its pods, which is not counted'
              : ({ replicas }) =>
                  `changes its number of pods${range}: ${replicas} ${replicas === 1 ? 'is' : 'are'} planned`,
        },
      ];
    });
}

/** The workloads with a note for each autoscaler that changes them. */
export const withAutoscalerNotes = (
  workloads: readonly Workload[],
  autoscalers: readonly Autoscaler[],
): readonly Workload[] =>
  workloads.map((workload) => {
    const own = autoscalers.filter(
      ({ namespace, target }) =>
        namespace === workload.namespace && target.kind === workload.kind && target.name === workload.name,
    );
    return own.length === 0
      ? workload
      : {
          ...workload,
          notes: [...workload.notes, ...own.map(({ label, note }) => `${label} ${note(workload)}`)],
        };
  });

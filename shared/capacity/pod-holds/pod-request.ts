import type { PersistentVolumeClaim, Pod, Volume } from 'kubernetes-types/core/v1.d.ts';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import * as z from 'zod/mini';
import { matchesLabels, requirementsOf } from '../../draining/label-selector.ts';
import type { PlannedPod } from '../plan/types.ts';
import { mostHeldPods } from './bounds.ts';
import {
  type ClaimTemplate,
  claimTemplatesSchema,
  compactTemplate,
  labelSelectorSchema,
  type PodTemplate,
  podTemplateSchema,
} from './pod-template.ts';

/** Pods that a hold or a schedule asks room for, before they exist. */
export interface PodRequest {
  readonly namespace: string;
  /** How many there shall be in all: those that run are part of it. */
  readonly total: number;
  readonly template: PodTemplate;
  /** The claims that a StatefulSet makes for each pod. */
  readonly claims?: readonly ClaimTemplate[];
  /** Which pods are meant; undefined for headroom, which is so much room at all times. */
  readonly selector?: LabelSelector;
  /** Pods of a Job end: once all were there at one read, the hold ends. */
  readonly endsOnceBound?: true;
}

type ParsedSelector = z.infer<ReturnType<typeof labelSelectorSchema>>;

const selects = (selector: ParsedSelector, labels: Readonly<Record<string, string>> | undefined): boolean =>
  matchesLabels(labels, requirementsOf(selector) ?? []);

const isSelector = (selector: ParsedSelector): boolean => {
  const requirements = requirementsOf(selector);
  return requirements !== undefined && requirements.length > 0;
};

/**
 * The schema of a request, for holds and for the definitions of schedules. A selector that selects every pod of a namespace is refused: it is written by
 * mistake, and any pod would count as arrived.
 */
export const podRequestSchema = () => checkedRequest(z.object(requestFields()));

/** The same for callers of the scale API: a misspelt field of the request is refused. Of its template, what no plan reads is dropped. */
export const strictPodRequestSchema = () => checkedRequest(z.strictObject(requestFields()));

const requestFields = () => ({
  namespace: z.string().check(z.minLength(1), z.maxLength(63)),
  total: z.int().check(z.minimum(1), z.maximum(mostHeldPods)),
  template: podTemplateSchema(),
  claims: z.optional(claimTemplatesSchema()),
  selector: z.optional(
    labelSelectorSchema().check(
      z.refine(isSelector, { error: 'a selector needs matchLabels, or valid matchExpressions' }),
    ),
  ),
  headroom: z.optional(z.literal(true)),
  endsOnceBound: z.optional(z.literal(true)),
});

type RequestFields = ReturnType<typeof requestFields>;

const checkedRequest = <Config extends z.core.$ZodObjectConfig>(
  request: z.ZodMiniObject<RequestFields, Config>,
) =>
  request.check(
    z.refine(({ selector, headroom }) => (selector === undefined) === (headroom === true), {
      error: 'either a selector says which pods are meant, or headroom is true: so much room at all times',
    }),
    z.refine(({ selector, template }) => selector === undefined || selects(selector, template.labels), {
      error: 'the selector does not select the pods of the template: none of them would count as arrived',
    }),
    z.refine(({ headroom, endsOnceBound }) => !(headroom && endsOnceBound), {
      error: 'headroom has no pods that could all be bound',
    }),
  );

/** The request of parsed JSON. */
export function podRequestOf(parsed: z.infer<ReturnType<typeof podRequestSchema>>): PodRequest {
  const { headroom: _, ...rest } = parsed;
  return rest as PodRequest;
}

/** The JSON of a request, in the parameter of a hold and in the input of a schedule. */
export const podRequestJson = (request: PodRequest): object => ({
  ...request,
  ...(request.selector === undefined && { headroom: true }),
});

/** The request with only what is needed to plan it. @throws z.core.$ZodError if its template is not that of a pod. */
export const compactRequest = (request: PodRequest): PodRequest => ({
  ...request,
  template: compactTemplate(request.template),
});

/** A pod that is bound to a node that exists, and has not finished. */
export type BoundPod = Pick<PlannedPod, 'namespace' | 'labels' | 'isTerminating'>;

/** The pods of a request that are there: bound to a node, and not terminating. Headroom has none. */
export function podsThere<Bound extends BoundPod>(
  { namespace, selector }: PodRequest,
  bound: readonly Bound[],
): readonly Bound[] {
  const requirements = selector && requirementsOf(selector);
  if (requirements === undefined) return [];
  return bound.filter(
    (pod) => !pod.isTerminating && pod.namespace === namespace && matchesLabels(pod.labels, requirements),
  );
}

/**
 * How many pods of a request still need room. Nothing is remembered: a pod that goes opens its room again, and the surplus of a rollout makes it 0.
 * Finished pods have given their room back, so they do not count as there.
 */
export const openOf = (request: PodRequest, bound: readonly BoundPod[]): number =>
  Math.max(0, request.total - podsThere(request, bound).length);

/** What two requests must share for one pod to count for both. */
export const selectionKey = ({ namespace, selector }: PodRequest): string | undefined =>
  selector && JSON.stringify([namespace, sortedSelector(selector)]);

const sortedSelector = (selector: LabelSelector): unknown => {
  const requirements = (requirementsOf(selector) ?? []).map(({ key, operator, values }) => ({
    key,
    operator,
    values: values.toSorted(),
  }));
  return requirements.map((one) => JSON.stringify(one)).toSorted();
};

/**
 * The pods of a request with numbers from 1, and the claims that they would have. They are named after the hold, so that no name is that of a pod. The
 * first ones use the claims of the pods in `kept` again, as far as there are claims with these names.
 */
export function plannedPodsOf(
  request: PodRequest,
  {
    name,
    count,
    kept = [],
    known = new Map(),
  }: {
    readonly name: string;
    readonly count: number;
    readonly kept?: readonly string[];
    /** The claims of the cluster, as `namespace/name`. */
    readonly known?: ReadonlyMap<string, PersistentVolumeClaim>;
  },
): {
  readonly pods: readonly Pod[];
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
} {
  const { namespace, template, claims = [] } = request;
  const made = new Map<string, PersistentVolumeClaim>();
  // As in the StatefulSet controller, a claim replaces a volume of the template that has its name.
  const withoutOwn = (volumes: readonly Volume[]) =>
    volumes.filter((volume) => !claims.some((claim) => claim.name === volume.name));
  const pods = Array.from({ length: count }, (_, index): Pod => {
    const podName = `${name}/${index + 1}`;
    const volumes = claims.map((claim) => {
      const { name: claimName, ...spec } = claim;
      const own = `${claimName}-${kept[index] ?? podName}`;
      if (!known.has(`${namespace}/${own}`))
        made.set(`${namespace}/${own}`, {
          metadata: { namespace, name: own },
          spec: spec as NonNullable<PersistentVolumeClaim['spec']>,
        });
      return { name: claimName, persistentVolumeClaim: { claimName: own } };
    });
    return {
      metadata: { namespace, name: podName, labels: { ...template.labels } },
      spec: { ...template.spec, volumes: [...withoutOwn(template.spec.volumes ?? []), ...volumes] },
    };
  });
  return { pods, claims: made };
}

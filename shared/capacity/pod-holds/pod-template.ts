import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { QuantityError, quantityIn } from '../plan/quantity.ts';

/** The longest text in a template: a label key with its prefix. */
const longestText = 317;

const text = () => z.string().check(z.maxLength(longestText));
const texts = () => z.optional(z.array(text()));
const labels = () => z.record(text(), text());
const small = () => z.int().check(z.minimum(0), z.maximum(1_000_000));

const isQuantity = (value: string | number): boolean => {
  try {
    quantityIn(3, value);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
};
const quantity = () =>
  z
    .union([text(), z.number()])
    .check(z.refine(isQuantity, { error: 'not a quantity, such as 500m, 2 or 1.5Gi' }));
const amounts = () => z.record(text(), quantity());
const resources = () =>
  z.optional(z.object({ requests: z.optional(amounts()), limits: z.optional(amounts()) }));

const container = () =>
  z.object({
    name: z.optional(text()),
    resources: resources(),
    ports: z.optional(
      z.array(
        z.object({
          hostPort: z.optional(small()),
          containerPort: z.optional(small()),
          hostIP: z.optional(text()),
          protocol: z.optional(text()),
        }),
      ),
    ),
    restartPolicy: z.optional(text()),
  });

const requirement = () => z.object({ key: text(), operator: text(), values: texts() });
const requirements = () => z.optional(z.array(requirement()));

/** A selector of labels, as in manifests. */
export const labelSelectorSchema = () =>
  z.object({ matchLabels: z.optional(labels()), matchExpressions: requirements() });

const nodeTerms = () =>
  z.object({
    nodeSelectorTerms: z.array(z.object({ matchExpressions: requirements(), matchFields: requirements() })),
  });
const podTerms = () =>
  z.optional(
    z.object({
      requiredDuringSchedulingIgnoredDuringExecution: z.optional(
        z.array(
          z.object({
            topologyKey: text(),
            labelSelector: z.optional(labelSelectorSchema()),
            namespaces: texts(),
            namespaceSelector: z.optional(labelSelectorSchema()),
            matchLabelKeys: texts(),
            mismatchLabelKeys: texts(),
          }),
        ),
      ),
    }),
  );

const claimSpec = () =>
  z.object({ storageClassName: z.optional(text()), accessModes: texts(), volumeName: z.optional(text()) });

const volume = () =>
  z.object({
    name: text(),
    persistentVolumeClaim: z.optional(z.object({ claimName: text() })),
    ephemeral: z.optional(z.object({ volumeClaimTemplate: z.optional(z.object({ spec: claimSpec() })) })),
  });

const constraint = () =>
  z.object({
    maxSkew: small(),
    topologyKey: text(),
    whenUnsatisfiable: text(),
    labelSelector: z.optional(labelSelectorSchema()),
    matchLabelKeys: texts(),
    minDomains: z.optional(small()),
    nodeAffinityPolicy: z.optional(text()),
    nodeTaintsPolicy: z.optional(text()),
  });

const toleration = () =>
  z.object({
    key: z.optional(text()),
    operator: z.optional(text()),
    value: z.optional(text()),
    effect: z.optional(text()),
  });

/** Only what kube-scheduler's filters read. Everything else, such as images, commands and environment variables, is dropped. */
const spec = () =>
  z.object({
    containers: z.array(container()).check(z.minLength(1)),
    initContainers: z.optional(z.array(container())),
    overhead: z.optional(amounts()),
    resources: resources(),
    hostNetwork: z.optional(z.boolean()),
    nodeSelector: z.optional(labels()),
    affinity: z.optional(
      z.object({
        nodeAffinity: z.optional(
          z.object({ requiredDuringSchedulingIgnoredDuringExecution: z.optional(nodeTerms()) }),
        ),
        podAffinity: podTerms(),
        podAntiAffinity: podTerms(),
      }),
    ),
    tolerations: z.optional(z.array(toleration())),
    topologySpreadConstraints: z.optional(z.array(constraint())),
    volumes: z.optional(z.array(volume())),
    // A plan names them as what it cannot decide about.
    schedulerName: z.optional(text()),
    schedulingGates: z.optional(z.array(z.object({ name: text() }))),
    resourceClaims: z.optional(z.array(z.object({ name: text() }))),
  });

/** The pod that a hold asks for, many times. */
export interface PodTemplate {
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** A template of claims of a StatefulSet: each pod has a claim of its own. */
export interface ClaimTemplate {
  readonly name: string;
  readonly storageClassName?: string;
  readonly accessModes?: readonly string[];
}

export const podTemplateSchema = () => z.object({ labels: z.optional(labels()), spec: spec() });

export const claimTemplatesSchema = () =>
  z.array(z.object({ name: text(), storageClassName: z.optional(text()), accessModes: texts() }));

const templateSchema = lazily(podTemplateSchema);

/** JSON without nulls, which mean the same as nothing. */
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, one: unknown) => one ?? undefined);

/**
 * The template with only what kube-scheduler's filters read, so that a manifest of any length makes a short parameter. Names of containers, ports that
 * are not ports of the host, volumes that are not claims and constraints that refuse no node are dropped too.
 *
 * @throws z.core.$ZodError if it is not a pod.
 */
export function compactTemplate(template: PodTemplate): PodTemplate {
  const parsed = templateSchema().parse(withoutNulls(template));
  const { containers, initContainers, volumes, topologySpreadConstraints, ...rest } = parsed.spec;
  const compactContainer = ({ resources: own, restartPolicy, ports = [] }: ParsedContainer) => ({
    resources: own,
    restartPolicy,
    // With the network of the host, each port is one of the host.
    ports: nonEmpty(ports.filter(({ hostPort }) => hostPort !== undefined || rest.hostNetwork === true)),
  });
  const spec = {
    ...rest,
    containers: containers.map(compactContainer),
    initContainers: nonEmpty((initContainers ?? []).map(compactContainer)),
    volumes: nonEmpty(
      (volumes ?? []).filter(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim ?? ephemeral),
    ),
    topologySpreadConstraints: nonEmpty(
      (topologySpreadConstraints ?? []).filter(
        ({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway',
      ),
    ),
  };
  return withoutNulls({ labels: parsed.labels, spec }) as PodTemplate;
}

type ParsedContainer = z.infer<ReturnType<typeof container>>;

const nonEmpty = <T>(items: readonly T[]): readonly T[] | undefined =>
  items.length === 0 ? undefined : items;

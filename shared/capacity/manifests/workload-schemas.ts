import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { matchesLabels, requirementsOf } from '../../draining/label-selector.ts';
import {
  type Finding,
  filled,
  finding,
  flag,
  labels,
  listOf,
  metadata,
  selector,
  subdomain,
  text,
  whole,
} from './field-schemas.ts';
import { whyNotDnsLabel, whyNotSubdomain } from './names.ts';
import { claimSpec, podSpec, podTemplate } from './pod-schema.ts';

/** Metadata of an object: the API server needs a name, or makes one from `generateName`. */
const ownMetadata = () =>
  metadata().check(
    finding(function* ({ name, generateName, namespace }) {
      if (name) yield* at(['name'], whyNotSubdomain(name));
      else if (!generateName) yield { path: ['name'], message: 'is missing' };
      if (namespace) yield* at(['namespace'], whyNotDnsLabel(namespace));
    }),
  );

const at = (path: readonly string[], message: string | undefined): readonly Finding[] =>
  message === undefined ? [] : [{ path, message }];

interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> | undefined } | undefined;
  readonly spec: { readonly restartPolicy?: string | undefined };
}

/** What is wrong between a controller's selector and its template. A controller restarts its containers always. */
function* findingsInController({
  selector: own,
  template,
}: {
  readonly selector: unknown;
  readonly template: Template;
}): Iterable<Finding> {
  const requirements = requirementsOf(own as LabelSelector) ?? [];
  if (requirements.length === 0) yield { path: ['selector'], message: 'must not be empty' };
  else if (!matchesLabels(template.metadata?.labels, requirements))
    yield { path: ['template', 'metadata', 'labels'], message: 'do not match the selector of the workload' };
  yield* findingsInRestarts(template);
}

const findingsInRestarts = ({ spec: { restartPolicy } }: Template): readonly Finding[] =>
  restartPolicy !== undefined && restartPolicy !== 'Always'
    ? [{ path: ['template', 'spec', 'restartPolicy'], message: 'must be Always' }]
    : [];

const replicas = () => z.optional(whole());

const objectOf = <T extends z.ZodMiniType>(spec: T) => z.looseObject({ metadata: ownMetadata(), spec });

const controllerSpec = () =>
  z
    .looseObject({ replicas: replicas(), selector: selector(), template: podTemplate() })
    .check(finding(findingsInController));

export const podObject = lazily(() => objectOf(podSpec()));
export const controllerObject = lazily(() => objectOf(controllerSpec()));

export const statefulSetObject = lazily(() =>
  objectOf(
    z
      .looseObject({
        replicas: replicas(),
        selector: selector(),
        template: podTemplate(),
        ordinals: z.optional(z.looseObject({ start: replicas() })),
        volumeClaimTemplates: listOf(
          z.looseObject({
            metadata: z.looseObject({ name: subdomain(), labels: labels() }),
            spec: claimSpec(),
          }),
        ),
      })
      .check(finding(findingsInController)),
  ),
);

export const daemonSetObject = lazily(() =>
  objectOf(
    z.looseObject({ selector: selector(), template: podTemplate() }).check(finding(findingsInController)),
  ),
);

export const replicationControllerObject = lazily(() =>
  objectOf(
    z.looseObject({ replicas: replicas(), selector: labels(), template: podTemplate() }).check(
      finding(({ selector: own, template }) =>
        findingsInController({
          selector: { matchLabels: own ?? template.metadata?.labels ?? {} },
          template,
        }),
      ),
    ),
  ),
);

const jobSpec = () =>
  z
    .looseObject({
      parallelism: replicas(),
      completions: replicas(),
      completionMode: z.optional(z.enum(['NonIndexed', 'Indexed'])),
      suspend: flag(),
      template: podTemplate(),
    })
    .check(
      finding(function* ({ completionMode, completions, parallelism, template }) {
        const { restartPolicy } = template.spec;
        if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never')
          yield {
            path: ['template', 'spec', 'restartPolicy'],
            message: 'must be OnFailure or Never in a Job',
          };
        // Without both of them, the API server sets both to 1.
        if (completionMode === 'Indexed' && completions === undefined && parallelism !== undefined)
          yield { path: ['completions'], message: 'is missing: an Indexed Job needs it' };
      }),
    );

export const jobObject = lazily(() => objectOf(jobSpec()));

export const cronJobObject = lazily(() =>
  objectOf(
    z.looseObject({
      schedule: filled(),
      suspend: flag(),
      concurrencyPolicy: z.optional(text()),
      jobTemplate: z.looseObject({ spec: jobSpec() }),
    }),
  ),
);

export const podTemplateObject = lazily(() =>
  z.looseObject({ metadata: ownMetadata(), template: podTemplate() }),
);

export const claimObject = lazily(() => objectOf(claimSpec()));

export const namespaceObject = lazily(() => z.looseObject({ metadata: ownMetadata() }));

export const storageClassObject = lazily(() =>
  z.looseObject({
    metadata: ownMetadata(),
    provisioner: filled(),
    volumeBindingMode: z.optional(z.enum(['Immediate', 'WaitForFirstConsumer'])),
    allowedTopologies: listOf(
      z.looseObject({
        matchLabelExpressions: listOf(z.looseObject({ key: filled(), values: z.array(z.string()) })),
      }),
    ),
  }),
);

/** An autoscaler of pods, as far as it says which workload it changes. */
export const autoscalerObject = lazily(() =>
  z.looseObject({
    metadata: ownMetadata(),
    spec: z.looseObject({
      scaleTargetRef: z.optional(z.looseObject({ kind: z.optional(text()), name: text() })),
      targetRef: z.optional(z.looseObject({ kind: z.optional(text()), name: text() })),
      minReplicas: replicas(),
      maxReplicas: replicas(),
    }),
  }),
);

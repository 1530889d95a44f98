import * as z from 'zod/mini';
import {
  dnsLabel,
  expression,
  filled,
  finding,
  flag,
  key,
  listOf,
  metadata,
  quantities,
  selector,
  subdomain,
  text,
  whole,
} from './field-schemas.ts';
import { findingsInPod } from './pod-rules.ts';
import { findingsInResources } from './resource-rules.ts';

const resources = () =>
  z.looseObject({ requests: quantities(), limits: quantities() }).check(finding(findingsInResources));

const port = () =>
  z.looseObject({
    containerPort: whole(1, 65_535),
    hostPort: z.optional(whole(0, 65_535)),
    hostIP: z.optional(text()),
    protocol: z.optional(z.enum(['TCP', 'UDP', 'SCTP'])),
  });

const container = () =>
  z.looseObject({
    name: dnsLabel(),
    image: filled(),
    ports: listOf(port()),
    resources: z.optional(resources()),
    restartPolicy: z.optional(text()),
  });

const nodeTerm = () =>
  z.looseObject({
    matchExpressions: listOf(expression(['Gt', 'Lt'])),
    matchFields: listOf(
      z.looseObject({
        key: z.literal('metadata.name'),
        operator: z.enum(['In', 'NotIn']),
        values: z.array(z.string()).check(z.length(1)),
      }),
    ),
  });

const podTerm = () =>
  z.looseObject({
    topologyKey: key(),
    labelSelector: z.optional(selector()),
    namespaceSelector: z.optional(selector()),
    namespaces: listOf(dnsLabel()),
    matchLabelKeys: listOf(key()),
    mismatchLabelKeys: listOf(key()),
  });

const podTerms = () =>
  z.optional(z.looseObject({ requiredDuringSchedulingIgnoredDuringExecution: listOf(podTerm()) }));

const affinity = () =>
  z.looseObject({
    nodeAffinity: z.optional(
      z.looseObject({
        requiredDuringSchedulingIgnoredDuringExecution: z.optional(
          z.looseObject({
            nodeSelectorTerms: z.array(nodeTerm()).check(z.minLength(1, 'must not be empty')),
          }),
        ),
      }),
    ),
    podAffinity: podTerms(),
    podAntiAffinity: podTerms(),
  });

const toleration = () =>
  z
    .looseObject({
      key: z.optional(text()),
      operator: z.optional(z.enum(['Exists', 'Equal', 'Lt', 'Gt', ''])),
      value: z.optional(text()),
      effect: z.optional(z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute', ''])),
    })
    .check(
      finding(function* ({ key: name, operator, value }) {
        if (!name && operator !== 'Exists')
          yield { path: ['operator'], message: 'must be Exists if there is no key' };
        if (operator === 'Exists' && value)
          yield { path: ['value'], message: 'must be empty with operator Exists' };
      }),
    );

const policy = () => z.optional(z.enum(['Honor', 'Ignore']));

const spread = () =>
  z
    .looseObject({
      maxSkew: whole(1),
      topologyKey: key(),
      whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
      labelSelector: z.optional(selector()),
      minDomains: z.optional(whole(1)),
      matchLabelKeys: listOf(key()),
      nodeAffinityPolicy: policy(),
      nodeTaintsPolicy: policy(),
    })
    .check(
      finding(({ minDomains, whenUnsatisfiable }) =>
        minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule'
          ? [{ path: ['minDomains'], message: 'needs whenUnsatisfiable: DoNotSchedule' }]
          : [],
      ),
    );

/** The spec of a claim, in a document or a template. */
export const claimSpec = () =>
  z.looseObject({
    accessModes: z
      .array(z.enum(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']))
      .check(z.minLength(1, 'must not be empty')),
    resources: z.looseObject({
      requests: quantities().check(
        finding((requests) =>
          requests?.storage === undefined ? [{ path: ['storage'], message: 'is missing' }] : [],
        ),
      ),
    }),
    storageClassName: z.optional(text()),
    volumeName: z.optional(text()),
  });

const volume = () =>
  z.looseObject({
    name: dnsLabel(),
    persistentVolumeClaim: z.optional(z.looseObject({ claimName: subdomain() })),
    ephemeral: z.optional(z.looseObject({ volumeClaimTemplate: z.looseObject({ spec: claimSpec() }) })),
  });

/** What a plan reads of a pod, by the rules of the API server. Other fields are not checked. */
export const podSpec = () =>
  z
    .looseObject({
      containers: z.array(container()).check(z.minLength(1, 'must have at least one container')),
      initContainers: listOf(container()),
      restartPolicy: z.optional(z.enum(['Always', 'OnFailure', 'Never'])),
      nodeName: z.optional(text()),
      nodeSelector: z.optional(z.record(z.string(), z.string())),
      affinity: z.optional(affinity()),
      tolerations: listOf(toleration()),
      topologySpreadConstraints: listOf(spread()),
      volumes: listOf(volume()),
      overhead: quantities(),
      resources: z.optional(resources()),
      hostNetwork: flag(),
      schedulerName: z.optional(text()),
      schedulingGates: listOf(z.looseObject({ name: text() })),
      resourceClaims: listOf(z.looseObject({ name: dnsLabel() })),
      runtimeClassName: z.optional(text()),
    })
    .check(finding(findingsInPod));

/** A template of pods in a workload. */
export const podTemplate = () => z.looseObject({ metadata: z.optional(metadata()), spec: podSpec() });

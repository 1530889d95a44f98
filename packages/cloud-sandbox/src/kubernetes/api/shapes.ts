import * as z from 'zod/mini';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import type { KubernetesObject } from '../store/object.ts';
import { unreadable } from './body.ts';
import { checkTexts } from './shape-texts.ts';

const text = z.optional(z.string());
const texts = z.optional(z.array(z.string()));
const textMap = z.optional(z.record(z.string(), z.string()));
const any = z.looseObject({});
const anyObject = z.optional(any);
const list = z.optional(z.array(any));
const quantities = z.optional(z.record(z.string(), z.union([z.string(), z.number()])));
const amount = z.optional(z.union([z.number(), z.string()]));
const whole = z.optional(z.int());

const expression = z.looseObject({ key: z.string(), operator: z.string(), values: texts });
const selector = z.optional(
  z.looseObject({ matchLabels: textMap, matchExpressions: z.optional(z.array(expression)) }),
);
const term = z.looseObject({
  matchExpressions: z.optional(z.array(expression)),
  matchFields: z.optional(z.array(expression)),
});
const required = z.optional(z.looseObject({ nodeSelectorTerms: z.array(term) }));
const affinity = z.optional(
  z.looseObject({
    nodeAffinity: z.optional(z.looseObject({ requiredDuringSchedulingIgnoredDuringExecution: required })),
  }),
);
const claim = z.optional(z.looseObject({ claimName: z.string() }));
const container = z.looseObject({
  name: text,
  image: text,
  resources: z.optional(z.looseObject({ requests: quantities })),
});
const podSpec = z.optional(
  z.looseObject({
    nodeName: text,
    priorityClassName: text,
    terminationGracePeriodSeconds: whole,
    nodeSelector: textMap,
    affinity,
    tolerations: z.optional(z.array(z.looseObject({ key: text, tolerationSeconds: whole }))),
    volumes: z.optional(z.array(z.looseObject({ name: text, persistentVolumeClaim: claim }))),
    containers: z.optional(z.array(container)),
  }),
);
const templateMeta = z.optional(z.looseObject({ labels: textMap, annotations: textMap }));
const claimSpec = z.optional(
  z.looseObject({
    volumeName: text,
    accessModes: texts,
    resources: z.optional(z.looseObject({ requests: quantities })),
  }),
);
const claimTemplates = z.optional(
  z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }), spec: claimSpec })),
);
const rollingUpdate = z.optional(z.looseObject({ maxSurge: amount, maxUnavailable: amount }));
const workload = z.looseObject({
  spec: z.optional(
    z.looseObject({
      replicas: whole,
      selector,
      template: z.optional(z.looseObject({ metadata: templateMeta, spec: podSpec })),
      strategy: z.optional(z.looseObject({ rollingUpdate })),
      volumeClaimTemplates: claimTemplates,
    }),
  ),
});
const binding = z.looseObject({
  subjects: z.optional(z.array(z.looseObject({ kind: z.string(), name: z.string(), namespace: text }))),
  roleRef: z.looseObject({ kind: z.string(), name: z.string() }),
});
const rules = z.optional(
  z.array(
    z.looseObject({
      verbs: texts,
      apiGroups: texts,
      resources: texts,
      resourceNames: texts,
      nonResourceURLs: texts,
    }),
  ),
);
const role = z.looseObject({ rules });
const conditions = z.optional(z.array(z.looseObject({ type: z.string(), status: text })));

/** The fields that the simulation's own parts read, by resource: an object that they could not read is refused at once. */
const shapes: Readonly<Record<string, z.ZodMiniType>> = {
  pods: z.looseObject({ spec: podSpec }),
  'deployments.apps': workload,
  'replicasets.apps': workload,
  'statefulsets.apps': workload,
  'daemonsets.apps': workload,
  'poddisruptionbudgets.policy': z.looseObject({
    spec: z.optional(z.looseObject({ minAvailable: amount, maxUnavailable: amount, selector })),
  }),
  nodes: z.looseObject({
    spec: z.optional(
      z.looseObject({
        providerID: text,
        taints: z.optional(z.array(z.looseObject({ key: z.string(), effect: z.string() }))),
      }),
    ),
    status: z.optional(z.looseObject({ conditions, addresses: list, allocatable: quantities })),
  }),
  services: z.looseObject({ spec: z.optional(z.looseObject({ selector: textMap, ports: list })) }),
  configmaps: z.looseObject({ data: textMap, binaryData: textMap }),
  secrets: z.looseObject({ type: text, data: textMap, stringData: textMap }),
  persistentvolumeclaims: z.looseObject({ spec: claimSpec }),
  events: z.looseObject({ involvedObject: z.looseObject({ kind: text, name: text }), message: text }),
  'certificatesigningrequests.certificates.k8s.io': z.looseObject({
    spec: z.optional(
      z.looseObject({ request: text, signerName: text, usages: texts, expirationSeconds: whole }),
    ),
    status: z.optional(z.looseObject({ conditions })),
  }),
  'clusterrolebindings.rbac.authorization.k8s.io': binding,
  'rolebindings.rbac.authorization.k8s.io': binding,
  'clusterroles.rbac.authorization.k8s.io': role,
  'roles.rbac.authorization.k8s.io': role,
};

const metadata = z.looseObject({
  metadata: z.optional(z.looseObject({ ownerReferences: list, managedFields: list })),
  spec: anyObject,
  status: anyObject,
});

/** Throws 400, naming the field, when an object is not of its kind's shape. */
export function checkShape(definition: ResourceDefinition, object: KubernetesObject): void {
  for (const schema of [metadata, shapes[resourceKey(definition)]]) {
    const issue = schema?.safeParse(object).error?.issues[0];
    if (issue !== undefined) throw unreadable(definition, object, issue);
  }
  checkTexts(definition, object);
}

import * as fc from 'fast-check';
import type {
  Affinity,
  NodeSelectorRequirement,
  Pod,
  PodAffinityTerm,
  PodSpec,
  TopologySpreadConstraint,
} from 'kubernetes-types/core/v1.d.ts';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import {
  drawnContainers,
  drawnInitContainers,
  podResources,
  small,
  withValidPorts,
} from './drawn-containers.ts';
import { effects, hostKey, present, sometimes, zoneKey, zones } from './drawn-nodes.ts';
import { claimNames, strayClaimNames } from './drawn-volumes.ts';

export const namespaces = ['shop', 'bank', 'void'] as const;

const apps = fc.constantFrom('web', 'db', 'cache');
const podLabels = fc
  .record({
    app: sometimes(apps, 5),
    tier: sometimes(fc.constantFrom('1', '2', '')),
    hash: sometimes(fc.constantFrom('x1', 'x2')),
  })
  .map(present);

const selectorExpression = fc.oneof(
  fc.record({
    key: fc.constantFrom('app', 'tier', 'other'),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.subarray(['web', 'db', 'cache', '1', ''], { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    key: fc.constantFrom('app', 'tier', 'other'),
    operator: fc.constantFrom('Exists', 'DoesNotExist'),
  }),
);
const labelSelector: fc.Arbitrary<LabelSelector> = fc
  .record({
    matchLabels: sometimes(fc.record({ app: apps }), 5),
    matchExpressions: sometimes(fc.array(selectorExpression, { maxLength: 2 }), 1),
  })
  .map((selector) => present(selector as Record<string, unknown>) as LabelSelector);

const topologyKeys = fc.constantFrom(zoneKey, hostKey, 'pool');

const podTerm: fc.Arbitrary<PodAffinityTerm> = fc
  .record({
    topologyKey: topologyKeys,
    labelSelector: sometimes(labelSelector, 9),
    namespaces: sometimes(fc.subarray([...namespaces]), 1),
    namespaceSelector: sometimes(
      fc.oneof(
        fc.constant({}),
        fc.record({ matchLabels: fc.record({ team: fc.constantFrom('red', 'blue') }) }),
      ),
      1,
    ),
    matchLabelKeys: sometimes(fc.constant(['hash']), 0.5),
    mismatchLabelKeys: sometimes(fc.constant(['other']), 0.5),
  })
  .map(({ matchLabelKeys, mismatchLabelKeys, ...term }) =>
    present({ ...term, ...(term.labelSelector && { matchLabelKeys, mismatchLabelKeys }) }),
  )
  .map((term) => term as unknown as PodAffinityTerm);

const nodeRequirement: fc.Arbitrary<NodeSelectorRequirement> = fc.oneof(
  fc.record({
    key: fc.constantFrom('pool', zoneKey, 'size'),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.subarray(['one', 'two', 'a', 'b', '3', ''], { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    key: fc.constantFrom('pool', 'size', hostKey),
    operator: fc.constantFrom('Exists', 'DoesNotExist'),
  }),
  fc.record({
    key: fc.constantFrom('size', 'pool'),
    operator: fc.constantFrom('Gt', 'Lt'),
    values: fc.constantFrom('5', '0', '9223372036854775806', '007').map((value) => [value]),
  }),
);
const nodeTerm = fc
  .record({
    matchExpressions: sometimes(fc.array(nodeRequirement, { maxLength: 2 }), 5),
    matchFields: sometimes(
      fc
        .record({
          key: fc.constant('metadata.name'),
          operator: fc.constantFrom('In', 'NotIn'),
          values: fc.constantFrom(['node-0'], ['node-1'], ['gone']),
        })
        .map((field) => [field]),
      0.5,
    ),
  })
  .map((term) => present(term as Record<string, unknown>));

const affinity: fc.Arbitrary<Affinity> = fc
  .record({
    nodeTerms: sometimes(fc.array(nodeTerm, { minLength: 1, maxLength: 2 }), 0.4),
    near: sometimes(fc.array(podTerm, { maxLength: 2 }), 0.4),
    apart: sometimes(fc.array(podTerm, { maxLength: 2 }), 0.6),
  })
  .map(({ nodeTerms, near, apart }) =>
    present({
      nodeAffinity: nodeTerms && {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: nodeTerms },
      },
      podAffinity: near && { requiredDuringSchedulingIgnoredDuringExecution: near },
      podAntiAffinity: apart && { requiredDuringSchedulingIgnoredDuringExecution: apart },
    }),
  );

const spread: fc.Arbitrary<TopologySpreadConstraint> = fc
  .record({
    maxSkew: fc.integer({ min: 1, max: 2 }),
    topologyKey: topologyKeys,
    whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway'),
    labelSelector: sometimes(labelSelector, 9),
    minDomains: sometimes(fc.integer({ min: 1, max: 4 }), 0.6),
    matchLabelKeys: sometimes(fc.constantFrom(['hash'], ['none']), 0.5),
    nodeAffinityPolicy: sometimes(fc.constantFrom('Honor', 'Ignore'), 1),
    nodeTaintsPolicy: sometimes(fc.constantFrom('Honor', 'Ignore'), 1),
  })
  .map(({ minDomains, matchLabelKeys, ...constraint }) =>
    present({
      ...constraint,
      ...(constraint.whenUnsatisfiable === 'DoNotSchedule' && { minDomains }),
      ...(constraint.labelSelector && { matchLabelKeys }),
    }),
  )
  .map((constraint) => constraint as unknown as TopologySpreadConstraint);

const toleration = fc.oneof(
  fc.record({
    key: fc.constantFrom('gpu', 'team'),
    operator: fc.constantFrom('Equal', ''),
    value: fc.constantFrom('', 'x'),
    effect: fc.oneof(effects, fc.constant('')),
  }),
  fc.record({
    key: fc.constantFrom('gpu', 'team', 'node.kubernetes.io/unschedulable'),
    operator: fc.constant('Exists'),
    effect: fc.oneof(effects, fc.constant('')),
  }),
  fc.constant({ operator: 'Exists' }),
  fc.record({ operator: fc.constant('Exists'), effect: effects }),
);

/** Everything by which the filters of the scheduler judge a pod. */
const drawnSpec: fc.Arbitrary<PodSpec> = fc
  .record({
    containers: drawnContainers,
    initContainers: sometimes(drawnInitContainers, 0.4),
    overhead: sometimes(fc.constantFrom({ cpu: '250m' }, { memory: '120Mi', cpu: '1' }), 0.2),
    resources: sometimes(podResources, 0.2),
    hostNetwork: sometimes(fc.constant(true), 0.1),
    nodeSelector: sometimes(
      fc.oneof(fc.record({ pool: fc.constantFrom('one', '') }), fc.record({ [zoneKey]: zones })),
      0.4,
    ),
    tolerations: sometimes(fc.array(toleration, { maxLength: 2 }), 1),
    affinity: sometimes(affinity, 1),
    topologySpreadConstraints: sometimes(
      fc.uniqueArray(spread, {
        maxLength: 2,
        selector: ({ topologyKey, whenUnsatisfiable }) => `${topologyKey} ${whenUnsatisfiable}`,
      }),
      0.7,
    ),
    volumes: sometimes(
      fc
        .uniqueArray(
          fc.oneof(
            { weight: 15, arbitrary: fc.constantFrom(...claimNames) },
            { weight: 1, arbitrary: fc.constantFrom(...strayClaimNames) },
          ),
          { maxLength: 2 },
        )
        .map((names) =>
          names.map((claimName, index) => ({ name: `v-${index}`, persistentVolumeClaim: { claimName } })),
        ),
      0.5,
    ),
  })
  .map((spec) =>
    spec.resources === undefined
      ? spec
      : { ...spec, containers: spec.containers.map(small), initContainers: spec.initContainers?.map(small) },
  )
  .map(
    (spec) =>
      present(withValidPorts(spec as PodSpec) as unknown as Record<string, unknown>) as unknown as PodSpec,
  );

export interface DrawnPod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

export const drawnPod: fc.Arbitrary<DrawnPod> = fc.record({
  namespace: fc.constantFrom('shop', 'shop', 'bank'),
  labels: podLabels,
  spec: drawnSpec,
});

export const podFrom = ({ namespace, labels, spec }: DrawnPod, name: string): Pod => ({
  metadata: { namespace, name, labels },
  spec,
});

/** Pods on one of these nodes, some of which terminate. */
export const drawnBoundPods = (
  nodeNames: readonly string[],
  maxLength: number,
): fc.Arbitrary<readonly Pod[]> =>
  nodeNames.length === 0
    ? fc.constant([])
    : fc
        .array(fc.tuple(drawnPod, fc.constantFrom(...nodeNames), fc.integer({ min: 0, max: 5 })), {
          maxLength,
        })
        .map((list) =>
          list.map(([drawn, nodeName, dice], index) => ({
            metadata: {
              namespace: drawn.namespace,
              name: `bound-${index}`,
              labels: drawn.labels,
              ...(dice === 0 && {
                deletionTimestamp: '2026-01-01T00:00:00Z',
                deletionGracePeriodSeconds: 30,
              }),
            },
            spec: { ...drawn.spec, nodeName },
          })),
        );

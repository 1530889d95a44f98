import * as fc from 'fast-check';
import type { Volume } from 'kubernetes-types/core/v1.d.ts';
import type { OwnerReference } from 'kubernetes-types/meta/v1.d.ts';
import type { PodParts } from './namespace.ts';

/** A pod in whatever state; with a deletion it is already on its way, and no kubelet will ever end it. */
export interface RandomPod extends PodParts {
  readonly deletion?: { readonly gracePeriodSeconds: number };
}

/** The only DaemonSet that exists. It may have any UID, because kubectl compares only its name. */
export const presentDaemonSet = 'agent';

const owner = (apiVersion: string, kind: string, name: string, controller?: boolean): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid: `uid-of-${name}`,
  ...(controller !== undefined && { controller }),
});

const owners = fc.oneof<fc.WeightedArbitrary<OwnerReference[]>[]>(
  { weight: 5, arbitrary: fc.constant([owner('apps/v1', 'ReplicaSet', 'web-5d4f', true)]) },
  { weight: 3, arbitrary: fc.constant([owner('apps/v1', 'DaemonSet', presentDaemonSet, true)]) },
  {
    weight: 7,
    arbitrary: fc.constantFrom<OwnerReference[]>(
      [owner('apps/v1', 'StatefulSet', 'db', true)],
      [owner('batch/v1', 'Job', 'report', true)],
      [owner('v1', 'ReplicationController', 'old', true)],
      [owner('example.com/v1', 'Rollout', 'canary', true)],
      [owner('apps/v1', 'DaemonSet', 'gone', true)],
      [owner('apps/v1beta1', 'DaemonSet', presentDaemonSet, true)],
      [owner('extensions/v1beta1', 'DaemonSet', 'gone', true)],
      [owner('v1', 'Node', 'machine', true)],
      [owner('apps/v1', 'DaemonSet', presentDaemonSet, false), owner('apps/v1', 'ReplicaSet', 'two', true)],
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom<OwnerReference[]>(
      [],
      [owner('apps/v1', 'ReplicaSet', 'web-5d4f', false)],
      [owner('apps/v1', 'DaemonSet', presentDaemonSet)],
    ),
  },
);

const labels = fc.record(
  {
    app: fc.constantFrom('web', 'db', 'job', ''),
    tier: fc.constantFrom('front', 'back'),
    weight: fc.constantFrom('1', '5', '007', 'heavy'),
  },
  { requiredKeys: [] },
);

const annotations = fc.oneof<fc.WeightedArbitrary<Record<string, string>>[]>(
  { weight: 9, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'hash').map((hash) => ({ 'kubernetes.io/config.mirror': hash })),
  },
);

const volume = (name: string, source: Omit<Volume, 'name'>): Volume => ({ name, ...source });
const volumes = fc.oneof<fc.WeightedArbitrary<Volume[]>[]>(
  { weight: 6, arbitrary: fc.constant([]) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      [volume('scratch', { emptyDir: {} })],
      [volume('memory', { emptyDir: { medium: 'Memory' } })],
      [volume('host', { hostPath: { path: '/var/lib/example' } })],
      [volume('claim', { persistentVolumeClaim: { claimName: 'data' } })],
      [volume('host', { hostPath: { path: '/tmp' } }), volume('scratch', { emptyDir: {} })],
    ),
  },
);

const spec = fc.record(
  {
    volumes,
    terminationGracePeriodSeconds: fc.constantFrom(0, 30, 3600),
    priorityClassName: fc.constantFrom('system-cluster-critical', 'system-node-critical'),
    hostNetwork: fc.boolean(),
  },
  { requiredKeys: ['volumes'] },
);

const phase = fc.oneof(
  { weight: 6, arbitrary: fc.constant('Running') },
  { weight: 4, arbitrary: fc.constantFrom('Pending', 'Succeeded', 'Failed', 'Unknown') },
);

/** 0: only its finalizers are left; 1: long over once the test looks; 3600: in an hour. */
const deletion = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 1, 3600) },
);

export const randomPod: fc.Arbitrary<RandomPod> = fc
  .record({
    owners,
    labels,
    annotations,
    spec,
    phase,
    deletion,
    ready: fc.boolean(),
    finalizer: fc.boolean(),
  })
  .map(({ owners, labels, annotations, spec, phase, deletion, ready, finalizer }) => {
    const isHeld = finalizer || deletion === 0 || (deletion !== undefined && isFinished(phase));
    return {
      metadata: {
        labels,
        annotations,
        ownerReferences: owners,
        ...(isHeld && { finalizers: ['drover.dev/test'] }),
      },
      spec,
      phase,
      ready,
      ...(deletion !== undefined && { deletion: { gracePeriodSeconds: deletion } }),
    };
  });

const isFinished = (phase: string): boolean => phase === 'Succeeded' || phase === 'Failed';

import * as fc from 'fast-check';

/** The workloads of a namespace, by their replicas: a Deployment with its ReplicaSet, and three workloads without an owner. */
export interface RandomWorkloads {
  readonly deployment: number;
  readonly itsReplicaSet: number;
  readonly replicaSet: number;
  readonly statefulSet: number;
  readonly replicationController: number;
}

/** What a pod's owner reference means; `stranger`: a ReplicaSet that is there, under another UID. */
export type OwnerChoice =
  | 'itsReplicaSet'
  | 'replicaSet'
  | 'statefulSet'
  | 'replicationController'
  | 'noOwner'
  | 'job'
  | 'daemonSet'
  | 'unknownKind'
  | 'absent'
  | 'stranger';

const replicas = fc.nat({ max: 4 });

export const randomWorkloads: fc.Arbitrary<RandomWorkloads> = fc.record({
  deployment: replicas,
  itsReplicaSet: replicas,
  replicaSet: replicas,
  statefulSet: replicas,
  replicationController: replicas,
});

const countable = ['itsReplicaSet', 'replicaSet', 'statefulSet', 'replicationController', 'noOwner'] as const;

/** Owners that the controller cannot count. A namespace has at most one kind of them, because the controller meets them in no fixed order. */
const uncountable = ['job', 'daemonSet', 'unknownKind', 'absent', 'stranger'] as const;

/** Who may own the pods of one namespace. */
export const ownerChoices: fc.Arbitrary<readonly OwnerChoice[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(countable) },
  { weight: 1, arbitrary: fc.constantFrom(...uncountable).map((one) => [...countable, one]) },
);

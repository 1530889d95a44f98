import type { OwnerReference } from 'kubernetes-types/meta/v1.d.ts';
import type { ClusterApi } from './cluster-api.ts';
import type { OwnerChoice, RandomWorkloads } from './random-workloads.ts';

type Owners = Readonly<Record<OwnerChoice, readonly OwnerReference[]>>;

/** Creates the workloads of a namespace, and gives the owner references that its pods may have. */
export async function createWorkloads(
  api: ClusterApi,
  namespace: string,
  replicas: RandomWorkloads,
): Promise<Owners> {
  const create = async ({ group = 'apps/v1', plural, ...parts }: Workload): Promise<string> => {
    const root = group === 'v1' ? '/api' : '/apis';
    const path = `${root}/${group}/namespaces/${namespace}/${plural}`;
    const created = await api.write({ method: 'POST', path, body: workload({ group, ...parts }) });
    return (created as { readonly metadata: { readonly uid: string } }).metadata.uid;
  };
  const deployment = await create({ plural: 'deployments', name: 'web', replicas: replicas.deployment });
  const itsReplicaSet = await create({
    plural: 'replicasets',
    name: 'web-1',
    replicas: replicas.itsReplicaSet,
    ownerReferences: reference('apps/v1 Deployment', 'web', deployment),
  });
  const replicaSet = await create({ plural: 'replicasets', name: 'alone', replicas: replicas.replicaSet });
  const statefulSet = await create({ plural: 'statefulsets', name: 'db', replicas: replicas.statefulSet });
  const replicationController = await create({
    group: 'v1',
    plural: 'replicationcontrollers',
    name: 'old',
    replicas: replicas.replicationController,
  });
  return {
    itsReplicaSet: reference('apps/v1 ReplicaSet', 'web-1', itsReplicaSet),
    replicaSet: reference('apps/v1 ReplicaSet', 'alone', replicaSet),
    statefulSet: reference('apps/v1 StatefulSet', 'db', statefulSet),
    replicationController: reference('v1 ReplicationController', 'old', replicationController),
    ...withoutScale,
  };
}

const reference = (kindOfOwner: string, name: string, uid: string): readonly OwnerReference[] => {
  const [apiVersion = '', kind = ''] = kindOfOwner.split(' ');
  return [{ apiVersion, kind, name, uid, controller: true }];
};

/** Owners whose number of replicas is unknown. */
const withoutScale = {
  noOwner: [],
  job: reference('batch/v1 Job', 'report', 'uid-of-a-job'),
  daemonSet: reference('apps/v1 DaemonSet', 'agent', 'uid-of-a-daemon-set'),
  unknownKind: reference('example.com/v1 Rollout', 'canary', 'uid-of-a-rollout'),
  absent: reference('apps/v1 ReplicaSet', 'deleted', 'uid-of-what-was'),
  stranger: reference('apps/v1 ReplicaSet', 'alone', 'uid-of-another'),
};

interface Workload {
  readonly group?: string;
  readonly plural: string;
  readonly name: string;
  readonly replicas: number;
  readonly ownerReferences?: readonly OwnerReference[];
}

/** A ReplicationController selects by plain labels. */
const workload = ({ group, name, replicas, ownerReferences }: Omit<Workload, 'plural'>): object => {
  const labels = { workload: name };
  return {
    metadata: { name, ...(ownerReferences && { ownerReferences }) },
    spec: {
      replicas,
      selector: group === 'v1' ? labels : { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: 'example' }] },
      },
    },
  };
};

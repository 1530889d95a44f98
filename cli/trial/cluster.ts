import type { ReplicaSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Namespace, Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { type Api, type ApiRequest, nameOf, pathOf } from '../../shared/kubernetes/api.ts';
import {
  getObject,
  listNow,
  metadataSchema,
  podSchema,
  readObject,
  replicaSetSchema,
} from '../../shared/kubernetes/lists.ts';
import { deleteObject, deleteOptions } from '../../shared/kubernetes/pods.ts';
import { servedVersion } from '../../shared/kubernetes/served-version.ts';
import { isConflict, isNotFound, KubernetesError } from '../../shared/kubernetes/status.ts';
import { budget, namespaceOf, pinnedTo, podTemplate, replicaSet, unpinned } from './objects.ts';
import { readRecord, type TrialRecord, trialAnnotation, trialNamespace } from './record.ts';
import { StepFailure } from './wait.ts';

/** The namespace of a trial. */
export interface FoundNamespace {
  readonly uid: string;
  /** Undefined if it is not that of a trial. */
  readonly record: TrialRecord | undefined;
  readonly isBeingDeleted: boolean;
  readonly resourceVersion: string;
}

/** What a trial makes, reads and removes in the cluster. Methods reject with a KubernetesError; those that make something may be repeated. */
export interface TrialCluster {
  find(): Promise<FoundNamespace | undefined>;
  /** Makes the namespace. `taken`: there is one already. */
  begin(record: TrialRecord): Promise<'made' | 'taken'>;
  /**
   * Adds to the record, and resolves with what it was before.
   *
   * @throws StepFailure if the namespace is gone or being deleted.
   */
  keep(uid: string, more: Partial<TrialRecord>): Promise<TrialRecord>;
  /** Asks admission about the pods, and makes their ReplicaSet and budget. No pod is made. */
  prepare(image: string): Promise<void>;
  pin(node: Node): Promise<void>;
  unpin(): Promise<void>;
  pods(): Promise<readonly Pod[]>;
  /** Why the ReplicaSet cannot make its pods; undefined if it can. */
  whyNoPods(): Promise<string | undefined>;
  /** Deletes the ReplicaSet and the budget, which would hold up other drains of the node. */
  removePods(): Promise<void>;
  removeNamespace(uid: string): Promise<void>;
}

const namespaces = pathOf('api', 'v1', 'namespaces');
const own = `${namespaces}${pathOf(trialNamespace)}`;
const podsPath = `${own}/pods`;
const replicaSets = pathOf('apis', 'apps', 'v1', 'namespaces', trialNamespace, 'replicasets');
const ownReplicaSet = `${replicaSets}${pathOf('trial')}`;
const mergePatch = 'application/merge-patch+json';

export function createTrialCluster(api: Api): TrialCluster {
  const withBudgets = servedVersion(api, { group: 'policy', plural: 'poddisruptionbudgets' });
  return {
    find: () => findNamespace(api),
    begin: (record) => make(api, { method: 'POST', path: namespaces, body: namespaceOf(record) }),
    keep: (uid, more) => keepRecord(api, uid, more),
    prepare: async (image) => {
      await admitPod(api, image);
      await make(api, { method: 'POST', path: replicaSets, body: replicaSet(image) });
      await withBudgets((version) =>
        make(api, { method: 'POST', path: budgetsPath(version), body: budget(version) }),
      );
    },
    pin: async (node) => {
      await api.call({ method: 'PATCH', path: ownReplicaSet, body: pinnedTo(node), contentType: mergePatch });
    },
    unpin: async () => {
      await api.call({ method: 'PATCH', path: ownReplicaSet, body: unpinned, contentType: mergePatch });
    },
    pods: () => listNow(api, { path: podsPath, schema: podSchema }),
    whyNoPods: async () => {
      const { status } = (await getObject<ReplicaSet>(api, ownReplicaSet, replicaSetSchema)) ?? {};
      return status?.conditions?.find(({ type, status: is }) => type === 'ReplicaFailure' && is === 'True')
        ?.message;
    },
    removePods: async () => {
      try {
        await withBudgets((version) => api.call({ method: 'DELETE', path: `${budgetsPath(version)}/trial` }));
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };
      await deleteObject(api, { method: 'DELETE', path: ownReplicaSet, body });
    },
    removeNamespace: async (uid) => {
      await deleteObject(api, { method: 'DELETE', path: own, body: deleteOptions(uid) });
    },
  };
}

const budgetsPath = (version: string): string =>
  pathOf('apis', 'policy', version, 'namespaces', trialNamespace, 'poddisruptionbudgets');

async function make(api: Api, request: ApiRequest): Promise<'made' | 'taken'> {
  try {
    await api.call(request);
    return 'made';
  } catch (error) {
    if (isConflict(error)) return 'taken';
    throw error;
  }
}

async function findNamespace(api: Api): Promise<FoundNamespace | undefined> {
  const namespace = await getObject<Namespace>(api, own, metadataSchema);
  return namespace && foundIn(namespace);
}

const foundIn = ({ metadata }: Namespace): FoundNamespace => ({
  uid: metadata?.uid ?? '',
  record: readRecord(metadata?.annotations?.[trialAnnotation]),
  isBeingDeleted: metadata?.deletionTimestamp !== undefined,
  resourceVersion: metadata?.resourceVersion ?? '',
});

const attempts = 5;

/** Another process may write at the same time, so the version that was read is part of the patch. */
async function keepRecord(api: Api, uid: string, more: Partial<TrialRecord>): Promise<TrialRecord> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await findNamespace(api);
    if (found?.uid !== uid || found.isBeingDeleted || found.record === undefined)
      throw new StepFailure(
        `namespace ${trialNamespace} is not that of this trial any more: something else cleans up`,
      );
    const { record, resourceVersion } = found;
    const annotations = { [trialAnnotation]: JSON.stringify({ ...record, ...more }) };
    const body = { metadata: { uid, resourceVersion, annotations } };
    try {
      await api.call({ method: 'PATCH', path: own, body, contentType: mergePatch });
      return record;
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
    }
  }
}

/**
 * A dry run: security policies, quotas and webhooks refuse pods, and a pod of the ReplicaSet would be refused only after the launch.
 *
 * @throws KubernetesError if admission refuses the pod. StepFailure if it gives it a priority with which it could preempt other pods.
 */
async function admitPod(api: Api, image: string): Promise<void> {
  const template = podTemplate(image);
  const metadata = { ...template.metadata, name: 'trial', namespace: trialNamespace };
  const body = { apiVersion: 'v1', kind: 'Pod', ...template, metadata };
  const request = { method: 'POST', path: podsPath, query: { dryRun: 'All' }, body } as const;
  const answer = await api.call(request).catch((error: unknown) => {
    if (isWithoutDryRun(error)) return undefined;
    throw error;
  });
  if (answer === undefined) return;
  const { spec } = readObject(podSchema, answer, nameOf(request));
  if ((spec?.priority ?? 0) > 0 && spec?.preemptionPolicy !== 'Never')
    throw new StepFailure(
      `the cluster gives new pods the priority class ${spec?.priorityClassName}, so the pods of a trial could preempt other pods`,
    );
}

/** Kubernetes before 1.13, and webhooks with side effects, refuse a dry run whatever it is of. */
const isWithoutDryRun = (error: unknown): boolean =>
  error instanceof KubernetesError && error.statusCode === 400 && /dry.?run/i.test(error.message);

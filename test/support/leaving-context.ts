import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { NodePatch } from '../../shared/draining/cordon.ts';
import { createOneAtATime } from '../../shared/draining/evict-pods.ts';
import type { LeavingContext } from '../../shared/leaving/context.ts';
import { createLeavingMemory } from '../../shared/leaving/memory.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import { notifyNothing } from '../../shared/notifications/notification.ts';

const notAsked = (what: string) => () => Promise.reject(new Error(`${what} was not to be asked for`));

/** Entries that a strategic merge patch adds, changes or, with null, takes away. */
const merged = (
  current: Readonly<Record<string, string>> | undefined,
  patch: Readonly<Record<string, string | null>> = {},
): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...current, ...patch }).filter((entry): entry is [string, string] => entry[1] !== null),
  );

function patched(node: Node, { metadata, spec }: NodePatch): Node {
  const { unschedulable: was, ...rest } = node.spec ?? {};
  const unschedulable = spec?.unschedulable === undefined ? was : spec.unschedulable === true;
  return {
    ...node,
    metadata: {
      ...node.metadata,
      labels: merged(node.metadata?.labels, metadata.labels),
      annotations: merged(node.metadata?.annotations, metadata.annotations),
    },
    spec: {
      ...rest,
      ...(unschedulable && { unschedulable }),
      ...(spec?.taints && { taints: [...spec.taints] }),
    },
  };
}

/** A cluster that has only Nodes, and a clock: for the handling of a Node whose instance needs no drain. */
export function createNodeContext(startedAt: number, first: Node) {
  const nodes = new Map([[first.metadata?.name ?? '', first]]);
  let now = startedAt;
  const clock = { now: () => now };
  const cluster: DrainCluster = {
    getNode: (name) => Promise.resolve(nodes.get(name)),
    getMarkedNode: notAsked('a marked Node'),
    listNodes: () => Promise.resolve([...nodes.values()]),
    patchNode: (name, patch) => {
      const node = nodes.get(name);
      if (!node) return Promise.reject(new Error(`no node ${name}`));
      const next = patched(node, patch as NodePatch);
      nodes.set(name, next);
      return Promise.resolve(next);
    },
    deleteNode: ({ name, uid }) => {
      const isThere = nodes.get(name)?.metadata?.uid === uid;
      if (isThere) nodes.delete(name);
      return Promise.resolve(isThere ? 'deleted' : 'gone');
    },
    listNodeMetadata: notAsked('metadata'),
    listPodsOnNode: notAsked('pods'),
    evictPod: notAsked('an eviction'),
    markDisrupted: () => Promise.resolve(),
    deletePod: notAsked('a deletion'),
    lookUpDaemonSet: notAsked('a DaemonSet'),
    getReplicaSet: notAsked('a ReplicaSet'),
    getDeployment: notAsked('a Deployment'),
    patchDeployment: notAsked('the patch of a Deployment'),
    listPodDisruptionBudgets: notAsked('budgets'),
    listVolumeAttachments: notAsked('volumes'),
    volumeOfClaim: notAsked('a claim'),
    recordEvent: () => Promise.resolve(),
  };
  const context: LeavingContext = {
    cluster,
    clock,
    memory: createLeavingMemory(clock),
    ensureHeartbeats: async () => undefined,
    sendNotice: notAsked('a message'),
    oneAtATime: createOneAtATime(),
    autoScaling: {
      describeInstance: notAsked('an instance'),
      describeGroup: notAsked('a group'),
      listGroups: notAsked('groups'),
      describeHooks: notAsked('hooks'),
      recordHeartbeat: notAsked('a heartbeat'),
      complete: notAsked('a completion'),
      terminate: notAsked('a termination'),
      giveBack: notAsked('a termination'),
    },
    ec2: { describeInstance: () => Promise.resolve(undefined) },
    targetHealth: { draining: () => Promise.resolve([]) },
    events: [],
    reportError: () => {},
    notify: notifyNothing,
    settings: {
      clusterName: 'drover',
      leavingHookName: 'drover-node-leaving',
      etcdHookName: 'drover-etcd-leaving',
      defaults: {
        drainTimeoutSeconds: 900,
        onFailure: 'CONTINUE',
        ignoreDaemonSets: true,
        deleteEmptyDirData: true,
        force: true,
        maxLeaving: 10,
        drainOnRebalance: false,
        awaitReplacement: false,
        annotationTimeoutSeconds: 86_400,
      },
      maxLeavingPerCluster: 10,
      notifyHeldAfterSeconds: 600,
    },
  };
  return {
    context,
    node: () => nodes.get(first.metadata?.name ?? ''),
    replaceNode: (node: Node) => void nodes.set(node.metadata?.name ?? '', node),
    pass: (seconds: number) => void (now += seconds * 1000),
  };
}

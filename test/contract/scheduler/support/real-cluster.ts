import { setTimeout as sleep } from 'node:timers/promises';
import { adminOf, type ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { type ControlPlane, startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { createItem, listItems, requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.d.ts';
import { zoneKey } from './drawn-nodes.ts';
import type { Question } from './question.ts';

/** A real API server with a real scheduler, and Nodes that are nothing but objects. */
export interface RealCluster {
  /** Makes the cluster of a question, without the pods that are asked about. */
  fill(question: Question): Promise<void>;
  createPod(pod: Pod): Promise<void>;
  /**
   * The pods as they are once the scheduler has judged each of them and as many have a node as expected. It judges a pod again after a while, as one
   * whose claim waited for a volume; fewer than expected are the answer after half a minute.
   */
  judged(pods: readonly Pod[], expected: number): Promise<readonly Pod[]>;
  empty(): Promise<void>;
  stop(): Promise<void>;
}

const storage = '/apis/storage.k8s.io/v1';
const pathOf = (pod: Pod): string => `/api/v1/namespaces/${pod.metadata?.namespace}/pods`;

/** Starts the control plane. The controller for volumes runs; the driver's part, to make volumes, is played here. */
export async function startRealCluster(directory: string): Promise<RealCluster> {
  const controlPlane: ControlPlane = await startControlPlane({
    directory,
    controllers: ['persistentvolume-binder-controller'],
    // Nothing here is a kubelet: new Nodes are as drawn, and objects go when they are deleted.
    apiServerFlags: [
      '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,StorageObjectInUseProtection,RuntimeClass',
    ],
  });
  const admin = adminOf(controlPlane);
  let nodes: Question['nodes'] = [];
  return {
    fill: async (question) => {
      nodes = question.nodes;
      await createAll(admin, '/api/v1/namespaces', question.namespaces);
      await createAll(admin, `${storage}/storageclasses`, question.classes);
      await createAll(admin, '/api/v1/persistentvolumes', question.volumes);
      await Promise.all(
        question.claims.map((claim) =>
          createItem(admin, `/api/v1/namespaces/${claim.metadata?.namespace}/persistentvolumeclaims`, claim),
        ),
      );
      await createAll(admin, `${storage}/csinodes`, question.csiNodes);
      await createAll(admin, '/api/v1/nodes', question.nodes);
      for (const pod of question.pods) await createOnNode(admin, pod);
    },
    createPod: (pod) => createItem(admin, pathOf(pod), pod),
    judged: (pods, expected) => untilJudged(admin, pods, { expected, nodes }),
    empty: () => removeAll(admin),
    stop: () => controlPlane.stop(),
  };
}

const createAll = async (admin: ClusterAdmin, path: string, items: readonly object[]): Promise<void> => {
  await Promise.all(items.map((item) => createItem(admin, path, item)));
};

/** A pod that terminates waits for a kubelet, which there is not. */
async function createOnNode(admin: ClusterAdmin, pod: Pod): Promise<void> {
  const { deletionTimestamp, deletionGracePeriodSeconds: _, ...metadata } = pod.metadata ?? {};
  await createItem(admin, pathOf(pod), { ...pod, metadata });
  if (deletionTimestamp !== undefined)
    await requestOf(admin, { method: 'DELETE', path: `${pathOf(pod)}/${pod.metadata?.name}` });
}

/** A scheduler that is busy sees a claim before the volume that is bound to it, and judges the pod again once it sees both. */
const isJudged = ({ spec, status }: Pod): boolean =>
  Boolean(spec?.nodeName) ||
  (status?.conditions ?? []).some(
    ({ type, status: value, message = '' }) =>
      type === 'PodScheduled' && value === 'False' && !message.includes('bound to non-existent'),
  );

/** Claims that wait are given volumes on the way, as a CSI driver does. */
async function untilJudged(
  admin: ClusterAdmin,
  pods: readonly Pod[],
  { expected, nodes }: { readonly expected: number; readonly nodes: Question['nodes'] },
): Promise<readonly Pod[]> {
  const names = new Set(pods.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`));
  let found: readonly Pod[] = [];
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    await provision(admin, nodes);
    found = (await listItems<Pod>(admin, '/api/v1/pods')).filter(({ metadata }) =>
      names.has(`${metadata?.namespace}/${metadata?.name}`),
    );
    const isComplete = found.length === names.size && found.every(isJudged);
    if (isComplete && found.filter(({ spec }) => spec?.nodeName).length >= expected) return found;
    await sleep(100);
  }
  return found;
}

const selectedNode = 'volume.kubernetes.io/selected-node';

async function provision(admin: ClusterAdmin, nodes: Question['nodes']): Promise<void> {
  const claims = await listItems<PersistentVolumeClaim>(admin, '/api/v1/persistentvolumeclaims');
  for (const { metadata, spec, status } of claims) {
    const name = metadata?.annotations?.[selectedNode];
    if (name === undefined || status?.phase === 'Bound' || metadata === undefined) continue;
    const zone = nodes.find((node) => node.metadata?.name === name)?.metadata?.labels?.[zoneKey];
    const inZone = { matchExpressions: [{ key: zoneKey, operator: 'In', values: [zone] }] };
    await createItem(admin, '/api/v1/persistentvolumes', {
      metadata: {
        name: `made-${metadata.uid}`,
        annotations: { 'pv.kubernetes.io/provisioned-by': 'ebs.csi.aws.com' },
      },
      spec: {
        accessModes: spec?.accessModes,
        capacity: spec?.resources?.requests,
        storageClassName: spec?.storageClassName,
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: metadata.namespace, name: metadata.name, uid: metadata.uid },
        csi: { driver: 'ebs.csi.aws.com', volumeHandle: `made-${metadata.uid}` },
        ...(zone !== undefined && { nodeAffinity: { required: { nodeSelectorTerms: [inZone] } } }),
      },
    });
  }
}

async function removeAll(admin: ClusterAdmin): Promise<void> {
  const namespaced = ['shop', 'bank', 'void'];
  const atOnce = { gracePeriodSeconds: 0 };
  const remove = async (path: string): Promise<void> => {
    const { status, body } = await requestOf(admin, { method: 'DELETE', path, body: atOnce });
    if (status !== 200) throw new Error(`DELETE ${path}: ${status} ${body}`);
  };
  for (const namespace of namespaced) await remove(`/api/v1/namespaces/${namespace}/pods`);
  for (const namespace of namespaced) await remove(`/api/v1/namespaces/${namespace}/persistentvolumeclaims`);
  for (const path of ['/api/v1/persistentvolumes', '/api/v1/nodes', `${storage}/csinodes`])
    await remove(path);
}

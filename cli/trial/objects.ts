import type { ReplicaSet } from 'kubernetes-types/apps/v1.d.ts';
import type {
  Affinity,
  Namespace,
  Node,
  NodeSelectorTerm,
  PodTemplateSpec,
  Toleration,
} from 'kubernetes-types/core/v1.d.ts';
import type { ServedVersion } from '../../shared/kubernetes/served-version.ts';
import { type TrialRecord, trialAnnotation, trialNamespace } from './record.ts';
import { trialTaint } from './taint.ts';

/** Two, so that a budget lets one go at a time. */
export const podCount = 2;

const labels = { app: 'drover-trial' };

export const namespaceOf = (record: TrialRecord): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: trialNamespace, annotations: { [trialAnnotation]: JSON.stringify(record) } },
});

/** A pod that does nothing, within the Pod Security Standard "restricted", and without the sidecar of a mesh. */
export const podTemplate = (image: string): PodTemplateSpec => ({
  metadata: {
    labels: { ...labels, 'sidecar.istio.io/inject': 'false' },
    annotations: { 'linkerd.io/inject': 'disabled' },
  },
  spec: {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 5,
    affinity: anyLinuxNode,
    // No user: OpenShift chooses one, and refuses others.
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'pause',
        image,
        imagePullPolicy: 'IfNotPresent',
        resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '10m', memory: '16Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
      },
    ],
  },
});

/** Without pods: the node that they start on is not there yet. */
export const replicaSet = (image: string): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'trial', namespace: trialNamespace },
  spec: { replicas: 0, selector: { matchLabels: labels }, template: podTemplate(image) },
});

export const budget = (version: ServedVersion) => ({
  apiVersion: `policy/${version}`,
  kind: 'PodDisruptionBudget',
  metadata: { name: 'trial', namespace: trialNamespace },
  spec: { minAvailable: podCount - 1, selector: { matchLabels: labels } },
});

/**
 * Starts the pods on this node, by its name: the label kubernetes.io/hostname may differ from it. Taints that come and go with the state of the node are not
 * tolerated, so that no pod lands on a node that is cordoned or not Ready.
 */
export function pinnedTo(node: Node): object {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node.metadata?.name ?? ''] }];
  const spec = { affinity: nodesWith({ matchFields }), tolerations: tolerationsFor(node) };
  return { spec: { replicas: podCount, template: { spec } } };
}

const nodesWith = (term: NodeSelectorTerm): Affinity => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
});

/** A node without the label, of Kubernetes before 1.14, too. */
const anyLinuxNode = nodesWith({
  matchExpressions: [{ key: 'kubernetes.io/os', operator: 'NotIn', values: ['windows'] }],
});

/** New pods may go to any node. The template of a ReplicaSet says nothing about pods that exist. */
export const unpinned = { spec: { template: { spec: { affinity: anyLinuxNode } } } };

const ofState =
  /^(?:node\.kubernetes\.io|node\.cloudprovider\.kubernetes\.io)\/|^(?:ToBeDeletedBy|DeletionCandidateOf)ClusterAutoscaler$/;

const tolerationsFor = ({ spec }: Node): readonly Toleration[] =>
  [...(spec?.taints ?? []), trialTaint]
    .filter(({ key }) => !ofState.test(key))
    .map(({ key, effect }) => ({ key, operator: 'Exists', effect }));

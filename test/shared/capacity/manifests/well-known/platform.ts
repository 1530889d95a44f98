import { apart, apartFrom, foreign, job, type Shapes, small, workload } from './shape.ts';

/** Parts of a platform in the shape of those that well-known projects publish, written for this test. */
export const platform: Shapes = {
  'a highly available metrics server': {
    documents: [
      workload('metrics-server', {
        pod: `nodeSelector: {kubernetes.io/os: linux}\n      ${apart('metrics-server')}`,
        resources: '{requests: {cpu: 100m, memory: 200Mi}}',
      }),
      '{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1beta1.metrics.k8s.io}}',
    ],
    workloads: [['Deployment', 'metrics-server', 2, 100, 200]],
    newNodes: 1,
    notes: [/1 APIService/],
  },
  'DNS without replicas, because an autoscaler sets them': {
    documents: [
      workload('coredns', {
        spec: 'strategy: {type: RollingUpdate}',
        pod: 'tolerations: [{key: CriticalAddonsOnly, operator: Exists}]',
        resources: '{limits: {memory: 170Mi}, requests: {cpu: 100m, memory: 70Mi}}',
      }),
    ],
    workloads: [['Deployment', 'coredns', 1, 100, 70]],
    newNodes: 0,
  },
  'an ingress controller with two Jobs for its webhook': {
    documents: [
      small('controller', 1, '{cpu: 100m, memory: 90Mi}'),
      job('admission-create'),
      job('admission-patch'),
      '{apiVersion: networking.k8s.io/v1, kind: IngressClass, metadata: {name: nginx}}',
    ],
    workloads: [
      ['Deployment', 'controller', 1, 100, 90],
      ['Job', 'admission-create', 1, 0, 0],
      ['Job', 'admission-patch', 1, 0, 0],
    ],
    newNodes: 0,
    notes: [/1 IngressClass/],
  },
  'a storage system with a DaemonSet on each node': {
    documents: [
      workload('manager', { kind: 'DaemonSet', spec: 'minReadySeconds: 1', resources: '{}' }),
      workload('ui', { resources: '~' }),
      ...Array.from(
        { length: 22 },
        () => 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n',
      ),
    ],
    workloads: [['Deployment', 'ui', 2, 0, 0]],
    newNodes: 0,
    notes: [/^DaemonSet manager: comes with each node/, /22 CustomResourceDefinition/],
  },
  'a database operator with its cluster as a custom resource': {
    documents: [
      small('cluster-operator', 1, '{cpu: 200m, memory: 384Mi}'),
      foreign('kafka.strimzi.io/v1', 'Kafka'),
      foreign('postgresql.cnpg.io/v1', 'Cluster'),
    ],
    workloads: [['Deployment', 'cluster-operator', 1, 200, 384]],
    newNodes: 0,
    notes: [/^Kafka of .* main: its controller makes pods/, /^Cluster of .* main: its controller makes pods/],
  },
  'a controller with six sidecars of one size': {
    documents: [
      workload('ebs-csi-controller', { resources: '{requests: {cpu: 10m, memory: 40Mi}}' }).replace(
        /(?=\n$)/,
        Array.from(
          { length: 5 },
          (_, at) => `\n      - {name: s${at}, image: a, resources: {requests: {cpu: 10m, memory: 40Mi}}}`,
        ).join(''),
      ),
    ],
    workloads: [['Deployment', 'ebs-csi-controller', 2, 60, 240]],
    newNodes: 0,
  },
  'an ingress controller that binds ports of its hosts': {
    documents: [
      workload('edge', {
        spec: 'replicas: 3\n  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}',
        pod: 'dnsPolicy: ClusterFirstWithHostNet',
        resources:
          '{requests: {cpu: 100m, memory: 90Mi}}\n        ports: [{name: http, containerPort: 80, hostPort: 80}, {name: https, containerPort: 443, hostPort: 443}]',
      }),
      '{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: edge}}',
    ],
    workloads: [['Deployment', 'edge', 3, 100, 90]],
    newNodes: 2,
    notes: [/1 ValidatingWebhookConfiguration/],
  },
  'three parts of a manager of certificates, without requests': {
    documents: [
      ...['cert-manager', 'cainjector', 'webhook'].map((name) =>
        workload(name, {
          spec: 'replicas: 1',
          pod: 'nodeSelector: {kubernetes.io/os: linux}',
          resources: '{}',
        }),
      ),
      ...Array.from(
        { length: 6 },
        () => 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n',
      ),
      '{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: webhook}}',
      foreign('cert-manager.io/v1', 'ClusterIssuer'),
    ],
    workloads: [
      ['Deployment', 'cert-manager', 1, 0, 0],
      ['Deployment', 'cainjector', 1, 0, 0],
      ['Deployment', 'webhook', 1, 0, 0],
    ],
    newNodes: 0,
    notes: [
      /^MutatingWebhookConfiguration webhook: may change pods/,
      /^ClusterIssuer of .* main: this kind is not known here/,
      /6 CustomResourceDefinition/,
    ],
  },
  'a highly available delivery tool with a cache and its proxies on different hosts': {
    documents: [
      workload('application-controller', { kind: 'StatefulSet', spec: 'replicas: 1', resources: '{}' }),
      small('server', 2, '{cpu: 125m, memory: 128Mi}'),
      small('repo-server', 2, '{cpu: 250m, memory: 256Mi}'),
      workload('redis-ha-server', {
        kind: 'StatefulSet',
        spec: 'replicas: 3\n  podManagementPolicy: OrderedReady',
        pod: apart('redis-ha-server'),
        resources: '{requests: {cpu: 100m, memory: 200Mi}}',
      }),
      workload('redis-ha-haproxy', { spec: 'replicas: 3', pod: apart('redis-ha-haproxy'), resources: '{}' }),
      '{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: server, namespace: shop}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: server}, minReplicas: 2, maxReplicas: 5}}',
      foreign('argoproj.io/v1alpha1', 'Application'),
    ],
    workloads: [
      ['StatefulSet', 'application-controller', 1, 0, 0],
      ['Deployment', 'server', 2, 125, 128],
      ['Deployment', 'repo-server', 2, 250, 256],
      ['StatefulSet', 'redis-ha-server', 3, 100, 200],
      ['Deployment', 'redis-ha-haproxy', 3, 0, 0],
    ],
    newNodes: 2,
    notes: [/^Application of .* main: its controller makes pods/, /1 HorizontalPodAutoscaler/],
  },
  'an exporter on each node, and a server that scrapes it': {
    documents: [
      workload('node-exporter', {
        kind: 'DaemonSet',
        spec: 'updateStrategy: {type: RollingUpdate}',
        pod: 'hostNetwork: true\n      hostPID: true\n      tolerations: [{operator: Exists, effect: NoSchedule}]',
        resources:
          '{requests: {cpu: 500m, memory: 180Mi}}\n        ports: [{name: http, containerPort: 9100, hostPort: 9100}]',
      }),
      small('prometheus', 4, '{cpu: 1, memory: 2Gi}'),
      foreign('monitoring.coreos.com/v1', 'Prometheus'),
      foreign('monitoring.coreos.com/v1', 'ServiceMonitor'),
    ],
    workloads: [['Deployment', 'prometheus', 4, 1000, 2048]],
    // Each node has 3500m left beside the exporter.
    newNodes: 1,
    notes: [
      /^DaemonSet node-exporter: comes with each node/,
      /^Prometheus of .* main: its controller makes pods/,
      /^ServiceMonitor of .* main: this kind is not known here/,
    ],
  },
  'an operator of storage, with monitors on different hosts that tolerate a taint of its nodes': {
    documents: [
      small('rook-ceph-operator', 1, '{cpu: 200m, memory: 128Mi}'),
      ...['a', 'b', 'c'].map((id) =>
        workload(`mon-${id}`, {
          spec: 'replicas: 1',
          pod: `tolerations: [{key: storage-node, operator: Exists}]\n      ${apartFrom('part', 'mon')}`,
          resources: '{requests: {cpu: 1000m, memory: 1Gi}}',
          labels: '{app: web, part: mon}',
        }),
      ),
      workload('discover', { kind: 'DaemonSet', spec: 'minReadySeconds: 1', resources: '{}' }),
      foreign('ceph.rook.io/v1', 'CephCluster'),
    ],
    workloads: [
      ['Deployment', 'rook-ceph-operator', 1, 200, 128],
      ['Deployment', 'mon-a', 1, 1000, 1024],
      ['Deployment', 'mon-b', 1, 1000, 1024],
      ['Deployment', 'mon-c', 1, 1000, 1024],
    ],
    newNodes: 2,
    notes: [
      /^DaemonSet discover: comes with each node/,
      /^CephCluster of .* main: its controller makes pods/,
    ],
  },
  'an autoscaler of events with the worker that it scales': {
    documents: [
      small('keda-operator', 1, '{cpu: 100m, memory: 100Mi}'),
      small('keda-metrics-apiserver', 1, '{cpu: 100m, memory: 100Mi}'),
      small('worker', 10, '{cpu: 500m, memory: 512Mi}'),
      '{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: worker, namespace: shop}, spec: {scaleTargetRef: {name: worker}, minReplicaCount: 0, maxReplicaCount: 30}}',
      '{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1beta1.external.metrics.k8s.io}}',
    ],
    workloads: [
      ['Deployment', 'keda-operator', 1, 100, 100],
      ['Deployment', 'keda-metrics-apiserver', 1, 100, 100],
      ['Deployment', 'worker', 10, 500, 512],
    ],
    newNodes: 1,
    notes: [/1 APIService, 1 ScaledObject/],
  },
};

import { allVerbs, type ResourceDefinition, resourceKey } from './definition.ts';

type Row = readonly [
  plural: string,
  kind: string,
  namespaced: boolean,
  options?: Partial<
    Pick<ResourceDefinition, 'shortNames' | 'categories' | 'subresources' | 'verbs' | 'version'>
  >,
];

const all = ['all'];
const status = ['status'];
const scalable = ['status', 'scale'];

const groups: Readonly<Record<string, readonly Row[]>> = {
  '': [
    ['bindings', 'Binding', true, { verbs: ['create'] }],
    ['configmaps', 'ConfigMap', true, { shortNames: ['cm'] }],
    ['endpoints', 'Endpoints', true, { shortNames: ['ep'] }],
    ['events', 'Event', true, { shortNames: ['ev'] }],
    ['limitranges', 'LimitRange', true, { shortNames: ['limits'] }],
    [
      'namespaces',
      'Namespace',
      false,
      {
        shortNames: ['ns'],
        subresources: ['status', 'finalize'],
        verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
      },
    ],
    ['nodes', 'Node', false, { shortNames: ['no'], subresources: status }],
    ['persistentvolumeclaims', 'PersistentVolumeClaim', true, { shortNames: ['pvc'], subresources: status }],
    ['persistentvolumes', 'PersistentVolume', false, { shortNames: ['pv'], subresources: status }],
    [
      'pods',
      'Pod',
      true,
      { shortNames: ['po'], categories: all, subresources: ['status', 'eviction', 'binding'] },
    ],
    [
      'replicationcontrollers',
      'ReplicationController',
      true,
      { shortNames: ['rc'], categories: all, subresources: scalable },
    ],
    ['resourcequotas', 'ResourceQuota', true, { shortNames: ['quota'], subresources: status }],
    ['secrets', 'Secret', true],
    ['serviceaccounts', 'ServiceAccount', true, { shortNames: ['sa'], subresources: ['token'] }],
    ['services', 'Service', true, { shortNames: ['svc'], categories: all, subresources: status }],
  ],
  // There are none, and none can be made: kubectl looks here for the definition of a kind that it does not know.
  'apiextensions.k8s.io': [
    [
      'customresourcedefinitions',
      'CustomResourceDefinition',
      false,
      { shortNames: ['crd', 'crds'], verbs: ['get', 'list', 'watch'] },
    ],
  ],
  apps: [
    ['controllerrevisions', 'ControllerRevision', true],
    ['daemonsets', 'DaemonSet', true, { shortNames: ['ds'], categories: all, subresources: status }],
    ['deployments', 'Deployment', true, { shortNames: ['deploy'], categories: all, subresources: scalable }],
    ['replicasets', 'ReplicaSet', true, { shortNames: ['rs'], categories: all, subresources: scalable }],
    ['statefulsets', 'StatefulSet', true, { shortNames: ['sts'], categories: all, subresources: scalable }],
  ],
  batch: [
    ['cronjobs', 'CronJob', true, { shortNames: ['cj'], categories: all, subresources: status }],
    ['jobs', 'Job', true, { categories: all, subresources: status }],
  ],
  policy: [
    ['poddisruptionbudgets', 'PodDisruptionBudget', true, { shortNames: ['pdb'], subresources: status }],
  ],
  'coordination.k8s.io': [['leases', 'Lease', true]],
  'discovery.k8s.io': [['endpointslices', 'EndpointSlice', true]],
  'events.k8s.io': [['events', 'Event', true, { shortNames: ['ev'] }]],
  'storage.k8s.io': [
    ['csidrivers', 'CSIDriver', false],
    ['csinodes', 'CSINode', false],
    ['storageclasses', 'StorageClass', false, { shortNames: ['sc'] }],
    ['volumeattachments', 'VolumeAttachment', false, { subresources: status }],
  ],
  'certificates.k8s.io': [
    [
      'certificatesigningrequests',
      'CertificateSigningRequest',
      false,
      { shortNames: ['csr'], subresources: ['status', 'approval'] },
    ],
  ],
  'rbac.authorization.k8s.io': [
    ['clusterrolebindings', 'ClusterRoleBinding', false],
    ['clusterroles', 'ClusterRole', false],
    ['rolebindings', 'RoleBinding', true],
    ['roles', 'Role', true],
  ],
  'scheduling.k8s.io': [['priorityclasses', 'PriorityClass', false, { shortNames: ['pc'] }]],
  'admissionregistration.k8s.io': [
    ['validatingadmissionpolicies', 'ValidatingAdmissionPolicy', false, { subresources: status }],
    ['validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', false],
  ],
  'flowcontrol.apiserver.k8s.io': [
    ['flowschemas', 'FlowSchema', false, { subresources: status }],
    ['prioritylevelconfigurations', 'PriorityLevelConfiguration', false, { subresources: status }],
  ],
};

function singularOf(kind: string): string {
  return kind.toLowerCase();
}

/** Every resource that is stored, one version each: the one that Kubernetes 1.34 stores. */
export const definitions: readonly ResourceDefinition[] = Object.entries(groups).flatMap(([group, rows]) =>
  rows.map(([plural, kind, namespaced, options]) => ({
    group,
    version: 'v1',
    plural,
    singular: singularOf(kind),
    kind,
    namespaced,
    shortNames: [],
    categories: [],
    subresources: [],
    verbs: allVerbs,
    ...options,
  })),
);

export const resourceKeys: readonly string[] = definitions.map(resourceKey);

const byKey = new Map(definitions.map((definition) => [resourceKey(definition), definition]));

/** By `plural.group`, e.g. `deployments.apps`. */
export function findDefinition(key: string): ResourceDefinition | undefined {
  return byKey.get(key);
}

/** The definition of a resource that is known to exist. Throws RangeError otherwise. */
export function definitionOf(key: string): ResourceDefinition {
  const definition = byKey.get(key);
  if (definition === undefined) throw new RangeError(`no resource ${key} is defined`);
  return definition;
}

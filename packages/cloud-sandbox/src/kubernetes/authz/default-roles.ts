import type { PolicyRule, Subject } from 'kubernetes-types/rbac/v1.d.ts';

const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const certificates = 'certificates.k8s.io';

function resources(apiGroups: string[], names: string[], verbs: string[]): PolicyRule {
  return { apiGroups, resources: names, verbs };
}

const namespaced = [
  'pods',
  'services',
  'configmaps',
  'secrets',
  'serviceaccounts',
  'persistentvolumeclaims',
  'events',
  'endpoints',
];

const approverRole = (signer: string): readonly [string, readonly PolicyRule[]] => [
  `system:certificates.k8s.io:${signer}-approver`,
  [{ ...resources([certificates], ['signers'], ['approve']), resourceNames: [`kubernetes.io/${signer}`] }],
];

const approverRoles = Object.fromEntries(
  ['kube-apiserver-client', 'kube-apiserver-client-kubelet', 'kubelet-serving', 'legacy-unknown'].map(
    approverRole,
  ),
);

/** The ClusterRoles that every cluster is born with, as far as the simulation has what they are about. */
export const defaultClusterRoles: Readonly<Record<string, readonly PolicyRule[]>> = {
  'cluster-admin': [resources(['*'], ['*'], ['*']), { nonResourceURLs: ['*'], verbs: ['*'] }],
  admin: [
    resources([''], [...namespaced, 'pods/eviction'], write),
    resources(['apps', 'batch', 'policy', 'rbac.authorization.k8s.io'], ['*'], write),
  ],
  edit: [
    resources([''], [...namespaced, 'pods/eviction'], write),
    resources(['apps', 'batch', 'policy'], ['*'], write),
  ],
  view: [
    resources(
      [''],
      namespaced.filter((name) => name !== 'secrets'),
      read,
    ),
    resources(['apps', 'batch', 'policy'], ['*'], read),
  ],
  'system:discovery': [
    {
      nonResourceURLs: [
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/readyz',
        '/openapi',
        '/openapi/*',
        '/version',
        '/version/',
      ],
      verbs: ['get'],
    },
  ],
  'system:public-info-viewer': [
    { nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'], verbs: ['get'] },
  ],
  'system:basic-user': [
    resources(['authorization.k8s.io'], ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], ['create']),
    resources(['authentication.k8s.io'], ['selfsubjectreviews'], ['create']),
  ],
  'system:auth-delegator': [
    resources(['authentication.k8s.io'], ['tokenreviews'], ['create']),
    resources(['authorization.k8s.io'], ['subjectaccessreviews'], ['create']),
  ],
  'system:node-bootstrapper': [
    resources([certificates], ['certificatesigningrequests'], ['create', 'get', 'list', 'watch']),
  ],
  ...approverRoles,
  'system:certificates.k8s.io:certificatesigningrequests:nodeclient': [
    resources([certificates], ['certificatesigningrequests/nodeclient'], ['create']),
  ],
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient': [
    resources([certificates], ['certificatesigningrequests/selfnodeclient'], ['create']),
  ],
  'system:node': [
    resources([''], ['nodes'], ['create', 'get', 'list', 'watch', 'patch', 'update']),
    resources([''], ['nodes/status', 'pods/status'], ['patch', 'update']),
    resources([''], ['pods'], [...read, 'create', 'delete']),
    resources(
      [''],
      ['services', 'configmaps', 'secrets', 'persistentvolumes', 'persistentvolumeclaims'],
      read,
    ),
    resources([''], ['events'], ['create', 'patch', 'update']),
    resources(['coordination.k8s.io'], ['leases'], ['create', 'get', 'update', 'patch', 'delete']),
    resources(['storage.k8s.io'], ['volumeattachments', 'csinodes'], [...read, 'create', 'patch', 'update']),
    resources([certificates], ['certificatesigningrequests'], ['create', ...read]),
  ],
};

const group = (name: string): Subject => ({ kind: 'Group', name, apiGroup: 'rbac.authorization.k8s.io' });

/** The default bindings of these roles. Nodes have none: the Node authorizer gives them their rights. */
export const defaultBindings: Readonly<Record<string, readonly Subject[]>> = {
  'cluster-admin': [group('system:masters')],
  'system:basic-user': [group('system:authenticated')],
  'system:discovery': [group('system:authenticated')],
  'system:public-info-viewer': [group('system:authenticated'), group('system:unauthenticated')],
};

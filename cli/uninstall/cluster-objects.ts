const rbac = '/apis/rbac.authorization.k8s.io/v1';
const admission = '/apis/admissionregistration.k8s.io/v1';
const flow = '/apis/flowcontrol.apiserver.k8s.io/v1';

const policies = ['drover-bootstrap-tokens', 'drover-nodes', 'drover-node-marks', 'drover-deployments'];
const clusterRoles = [
  'drover',
  'drover-reader',
  'drover-planner',
  'drover-roller',
  'drover-certificates',
  'drover-doctor',
];

/** What deploy/rbac.yaml, flow-schema.yaml and admission.yaml create, in the order of removal: bindings before what they bind. */
export const clusterObjects = {
  admission: [
    ...policies.map((name) => `${admission}/validatingadmissionpolicybindings/${name}`),
    ...policies.map((name) => `${admission}/validatingadmissionpolicies/${name}`),
  ],
  'flow-control': [`${flow}/flowschemas/drover`, `${flow}/prioritylevelconfigurations/drover`],
  rbac: [
    ...[...clusterRoles, 'drover-node-bootstrapper'].map((name) => `${rbac}/clusterrolebindings/${name}`),
    ...[...clusterRoles, 'drover-restarter'].map((name) => `${rbac}/clusterroles/${name}`),
    ...namespaced('rolebindings'),
    ...namespaced('roles'),
    '/api/v1/namespaces/kube-system/serviceaccounts/drover',
  ],
} as const satisfies Record<string, readonly string[]>;

function namespaced(resource: 'roles' | 'rolebindings'): readonly string[] {
  return [
    `${rbac}/namespaces/kube-system/${resource}/drover-identity-mapping`,
    `${rbac}/namespaces/kube-system/${resource}/drover-bootstrap-tokens`,
    `${rbac}/namespaces/default/${resource}/drover-node-events`,
  ];
}

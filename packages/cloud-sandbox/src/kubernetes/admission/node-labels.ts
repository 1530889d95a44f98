type Labels = Readonly<Record<string, string>>;

/** Labels of kubernetes.io and k8s.io that a kubelet may set on its own Node. Source: staging/src/k8s.io/kubelet, well_known_labels.go. */
const kubeletLabels = new Set([
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);

const isIn = (namespace: string, domain: string): boolean =>
  namespace === domain || namespace.endsWith(`.${domain}`);

/** The labels that change and are not a node's to change, in order: `a, b`. Undefined if there are none. */
export function forbiddenNodeLabels(before: Labels = {}, after: Labels = {}): string | undefined {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => before[key] !== after[key]);
  const found = changed.filter(isForbiddenNodeLabel).sort();
  return found.length === 0 ? undefined : found.join(', ');
}

/** Whether a kubelet may not set it on its own Node. */
export function isForbiddenNodeLabel(label: string): boolean {
  const namespace = label.includes('/') ? (label.split('/')[0] ?? '') : '';
  if (isIn(namespace, 'node-restriction.kubernetes.io')) return true;
  const isOfKubernetes = isIn(namespace, 'kubernetes.io') || isIn(namespace, 'k8s.io');
  const isOfKubelet =
    kubeletLabels.has(label) ||
    isIn(namespace, 'kubelet.kubernetes.io') ||
    isIn(namespace, 'node.kubernetes.io');
  return isOfKubernetes && !isOfKubelet;
}

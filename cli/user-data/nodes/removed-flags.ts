/**
 * Flags that kubelets have no longer, with the minor version from which on a kubelet does not start with them (the CHANGELOG of each version).
 * A real test compares them with kubelets. In 1.37 the flags of cAdvisor went.
 */
export const removedFlags: Readonly<Record<string, string>> = {
  'cni-bin-dir': '1.24',
  'cni-conf-dir': '1.24',
  'dynamic-config-dir': '1.24',
  'network-plugin': '1.24',
  'container-runtime': '1.27',
  'keep-terminated-pod-volumes': '1.31',
  'cloud-config': '1.34',
  'pod-infra-container-image': '1.35',
  'application-metrics-count-limit': '1.37',
  'boot-id-file': '1.37',
  'container-hints': '1.37',
  containerd: '1.37',
  'containerd-namespace': '1.37',
  'enable-load-reader': '1.37',
  'event-storage-age-limit': '1.37',
  'event-storage-event-limit': '1.37',
  'global-housekeeping-interval': '1.37',
  'log-cadvisor-usage': '1.37',
  'machine-id-file': '1.37',
  'storage-driver-buffer-duration': '1.37',
  'storage-driver-db': '1.37',
  'storage-driver-host': '1.37',
  'storage-driver-password': '1.37',
  'storage-driver-secure': '1.37',
  'storage-driver-table': '1.37',
  'storage-driver-user': '1.37',
};

const minorOf = (version: string): number => Number(version.split('.')[1]);

/** The version from which on kubelets do not start with the flag; undefined if they have it, or never had it. */
export const removedSince = (name: string): string | undefined =>
  Object.hasOwn(removedFlags, name) ? removedFlags[name] : undefined;

/** Whether a kubelet of this version (`1.37`, `1.37.2`) does not start with the flag. Pure. */
export function isRemovedFlag(name: string, version: string): boolean {
  const since = removedSince(name);
  return since !== undefined && minorOf(version) >= minorOf(since);
}

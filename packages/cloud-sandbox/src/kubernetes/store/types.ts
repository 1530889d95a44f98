import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { Lease } from 'kubernetes-types/coordination/v1.d.ts';
import type {
  ConfigMap,
  Event,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  ServiceAccount,
} from 'kubernetes-types/core/v1.d.ts';
import type { EndpointSlice } from 'kubernetes-types/discovery/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';

/** The resources whose objects the simulation's own parts read by their types; the rest are stored as they come. */
export interface ObjectTypes {
  readonly pods: Pod;
  readonly nodes: Node;
  readonly namespaces: Namespace;
  readonly secrets: Secret;
  readonly configmaps: ConfigMap;
  readonly serviceaccounts: ServiceAccount;
  readonly services: Service;
  readonly events: Event;
  readonly persistentvolumes: PersistentVolume;
  readonly persistentvolumeclaims: PersistentVolumeClaim;
  readonly 'deployments.apps': Deployment;
  readonly 'replicasets.apps': ReplicaSet;
  readonly 'statefulsets.apps': StatefulSet;
  readonly 'daemonsets.apps': DaemonSet;
  readonly 'poddisruptionbudgets.policy': PodDisruptionBudget;
  readonly 'leases.coordination.k8s.io': Lease;
  readonly 'volumeattachments.storage.k8s.io': VolumeAttachment;
  readonly 'certificatesigningrequests.certificates.k8s.io': CertificateSigningRequest;
  readonly 'endpointslices.discovery.k8s.io': EndpointSlice;
  readonly 'roles.rbac.authorization.k8s.io': Role;
  readonly 'rolebindings.rbac.authorization.k8s.io': RoleBinding;
  readonly 'clusterroles.rbac.authorization.k8s.io': ClusterRole;
  readonly 'clusterrolebindings.rbac.authorization.k8s.io': ClusterRoleBinding;
}

import type { ClusterRole, ClusterRoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import type { LifecycleHook, Role } from '../../../shared/groups/group.ts';
import type { HookNames } from '../../../shared/problems/hook-problems.ts';
import type { OptionalFeature } from '../../rbac/parts.ts';
import type { MappedRole } from './aws-auth.ts';
import type { ObservedLayout, ObservedMachine } from './layout.ts';

/** A feature of a deployment for which the cluster grants rights. */
export type Feature = OptionalFeature;

export interface ObservedTag {
  readonly value: string;
  readonly propagates: boolean;
}

/** A group as AWS describes it now. */
export interface ObservedGroup {
  readonly autoScalingGroupName: string;
  readonly tags: ReadonlyMap<string, ObservedTag>;
  readonly instances: readonly { readonly instanceId: string; readonly lifecycleState: string }[];
  readonly hooks: readonly LifecycleHook[];
  /** The roles of its instances, which its launch templates may differ in; empty if none runs, or they have no role. */
  readonly instanceRoleArns: readonly string[];
  readonly launch: ObservedLaunch;
  /** Undefined if an instance is its model. */
  readonly layout?: ObservedLayout | undefined;
  /** Undefined if EKS does not manage the group. */
  readonly nodegroup?: ObservedNodegroup | undefined;
}

/** A managed node group as EKS describes it. */
export type ObservedNodegroup =
  | {
      readonly kind: 'read';
      /** `ACTIVE`, `UPDATING`, `DEGRADED`, `CREATE_FAILED` ... */
      readonly status: string;
      readonly issues: readonly {
        readonly code: string;
        readonly message: string;
        readonly resourceIds: readonly string[];
      }[];
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unread'; readonly why: string };

/** What a group launches from. */
export type ObservedLaunch =
  /** Of a mixed instances policy, also those that overrides name. */
  | { readonly kind: 'templates'; readonly templates: readonly ObservedTemplate[] }
  | { readonly kind: 'configuration'; readonly name: string }
  /** Not read, because no user data is wanted, or an instance is its model. */
  | { readonly kind: 'none' };

export interface ObservedTemplate {
  readonly id: string;
  readonly name: string;
  /** As the group has it: `$Latest`, `$Default` or a number. */
  readonly version: string;
  /** The number of that version now. */
  readonly number: number;
  readonly userData: Uint8Array;
  readonly latest: {
    readonly number: number;
    readonly description: string;
    readonly userData: Uint8Array;
  };
  /** Other groups that use the template with `$Latest`. */
  readonly otherGroups: readonly string[];
}

export interface ObservedNode {
  readonly name: string;
  /** Undefined if it has no providerID of EC2. */
  readonly instanceId: string | undefined;
  readonly isControlPlane: boolean;
  /** A member of etcd runs on it as a static pod, as kubeadm makes them. */
  readonly hasEtcd: boolean;
  /** The value of the annotation that exempts it; undefined without one. */
  readonly certificates: string | undefined;
  readonly machine?: ObservedMachine | undefined;
}

/** An object of the cluster. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** How EKS maps identities of AWS to users of the cluster. */
export interface ObservedEks {
  /** The roles of the functions that ask the API server, by function; a path is part of the ARN. */
  readonly functionRoles: ReadonlyMap<string, string>;
  /** The access entries of these roles and of the groups' roles, by comparable ARN; undefined if the cluster reads only aws-auth. */
  readonly entries:
    | ReadonlyMap<string, { readonly type: string; readonly groups: readonly string[] }>
    | undefined;
  /** The data of the ConfigMap kube-system/aws-auth; undefined if the cluster has none. */
  readonly awsAuth: Readonly<Record<string, string>> | undefined;
  readonly mapped: readonly MappedRole[];
}

/** All that a plan depends on. */
export interface Observation extends HookNames {
  /** The features that the deployment has; undefined if no deployment was found. */
  readonly features: ReadonlySet<Feature> | undefined;
  readonly groups: readonly ObservedGroup[];
  /** The names that were asked for and that AWS does not know. */
  readonly unknownGroups: readonly string[];
  /** The instances of all groups that the cluster manages already. */
  readonly managedInstanceIds: ReadonlySet<string>;
  readonly nodes: readonly ObservedNode[];
  /** Undefined if the cluster is not one of EKS. */
  readonly eks: ObservedEks | undefined;
  /** kubeadm made the cluster: its ConfigMap is there. */
  readonly isKubeadm: boolean;
  /** The manifests of deploy/rbac.yaml, and what the cluster has in their place, by `keyOf`. */
  readonly manifests: readonly KubernetesObject[];
  readonly granted: ReadonlyMap<string, KubernetesObject>;
  readonly clusterRoles: readonly ClusterRole[];
  readonly clusterRoleBindings: readonly ClusterRoleBinding[];
}

/** What the command line asks for. */
export interface Wishes {
  /** Defaults to the role that the group has, or that its Nodes show. */
  readonly role: Role | undefined;
  /** Further tags under drover.dev/. */
  readonly tags: ReadonlyMap<string, string>;
  readonly heartbeatTimeoutSeconds: number;
  /** Whether groups get the hook on launching instances. */
  readonly joining: boolean;
  /** Nodes outside managed groups whose certificates you approve by hand, beside those that an annotation exempts. */
  readonly exemptNodes: ReadonlySet<string>;
  /** The part that the user data of the groups should have; undefined if it stays as it is. */
  readonly userData: string | undefined;
}

export const keyOf = ({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string =>
  [kind, metadata.namespace, metadata.name].filter(Boolean).join('/');

import type { EndpointStatus, EtcdMember, MemberList } from '../../../shared/etcd/cluster.ts';
import type { EtcdNaming } from '../../../shared/etcd/names.ts';
import type { HookNames } from '../../../shared/problems/hook-problems.ts';
import type { ObservedGroup } from '../../adopt/plan/observation.ts';

/** The certificate that a port of a member shows. */
export type PortCertificate =
  | {
      readonly kind: 'read';
      readonly commonName: string;
      /** DNS names and addresses. */
      readonly names: readonly string[];
      /** It has the usage clientAuth too, or no usage at all. */
      readonly isForClients: boolean;
    }
  | { readonly kind: 'unread'; readonly why: string };

/** An instance of the groups, with the etcd that answers on it. */
export interface AdoptionInstance {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  readonly lifecycleState: string;
  readonly availabilityZone: string;
  /** Undefined if EC2 does not know one. */
  readonly address: string | undefined;
  readonly status: EndpointStatus;
  /** Of port 2379 and of port 2380; undefined without TLS. */
  readonly server: PortCertificate | undefined;
  readonly peer: PortCertificate | undefined;
}

/** What the API server says about etcd. */
export type KubernetesView =
  | {
      readonly kind: 'read';
      /** The instances on which kubeadm runs a member as a static pod, by Node. */
      readonly stacked: ReadonlyMap<string, string | undefined>;
      /** The value of `--etcd-servers` of each API server, by pod. */
      readonly etcdServers: ReadonlyMap<string, readonly string[]>;
      /** Of this machine's kubeconfig. */
      readonly server: string;
      /** Whether it is the cluster of the kubeconfig that Drover's functions have; `unknown` if they have none, or an authority is missing. */
      readonly stored: 'same' | 'other' | 'unknown';
    }
  | { readonly kind: 'unread'; readonly why: string };

/** What the zone says about the domain. */
export interface ZoneView {
  /** The owner of the mark, and the etcd that it names; undefined without a mark. */
  readonly mark: { readonly owner: string | undefined; readonly clusterId: string | undefined } | undefined;
  /** Records under names that Drover needs, which it did not make. */
  readonly inTheWay: readonly string[];
}

export type GroupToAdopt = ObservedGroup & {
  readonly desiredCapacity: number;
  readonly hasWarmPool: boolean;
};

/** All that the plan of an adoption depends on. */
export interface AdoptionObservation extends HookNames {
  readonly naming: EtcdNaming;
  readonly groups: readonly GroupToAdopt[];
  readonly unknownGroups: readonly string[];
  readonly instances: readonly AdoptionInstance[];
  /** Undefined if no member with quorum answers. */
  readonly list: MemberList | undefined;
  readonly failure: string | undefined;
  readonly zone: ZoneView;
  readonly kubernetes: KubernetesView;
  /** The authority in Parameter Store that new members trust, compared with that of Drover's client certificate. */
  readonly authority: 'same' | 'missing' | 'other';
}

/** The instance whose etcd answers with the id of the member. */
export const instanceOf = (
  { id }: Pick<EtcdMember, 'id'>,
  { instances }: Pick<AdoptionObservation, 'instances'>,
): AdoptionInstance | undefined =>
  instances.find(({ status }) => status.kind === 'answers' && status.memberId === id);

/** An id as etcdctl prints it. */
export const hexadecimal = (id: string): string => BigInt(id).toString(16);

/** A member in words, with its name if it has one. */
export const wordsOf = ({ id, name }: Pick<EtcdMember, 'id' | 'name'>): string =>
  name === '' ? `member ${hexadecimal(id)}` : `member ${name} (${hexadecimal(id)})`;

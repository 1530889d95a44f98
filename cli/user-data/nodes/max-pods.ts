import type { PodAddresses } from '../../../shared/aws/pod-addresses.ts';
import { podsWithVpcCni } from '../../../shared/capacity/plan-input/instance-capacity.ts';

/** A block of addresses in prefix delegation. */
const addressesOfPrefix = 16;

/**
 * How many pods the VPC CNI can give an address on each of these types: the smallest of all, because a group may launch any of them.
 * As nodeadm counts (awslabs/amazon-eks-ami, `nodeadm/internal/kubelet/eni_max_pods.go`), and with prefix delegation as Kubernetes
 * recommends it. On a type without prefixes the CNI gives single addresses also with prefix delegation. Pure.
 */
export const maxPodsOf = (types: readonly PodAddresses[], withPrefixes: boolean): number =>
  Math.min(
    ...types.map((type) => (withPrefixes && type.takesPrefixes ? ofPrefixes(type) : podsWithVpcCni(type))),
  );

/** The types on which the VPC CNI does not start in a cluster with IPv6, which it serves only by prefixes. Pure. */
export const withoutIpv6 = (types: readonly PodAddresses[]): readonly string[] =>
  types.filter(({ takesPrefixes }) => !takesPrefixes).map(({ instanceType }) => instanceType);

const ofPrefixes = ({ interfaces, ipv4AddressesPerInterface, cpus }: PodAddresses): number =>
  Math.min(interfaces * (ipv4AddressesPerInterface - 1) * addressesOfPrefix + 2, cpus > 30 ? 250 : 110);

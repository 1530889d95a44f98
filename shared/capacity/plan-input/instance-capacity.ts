import { podsResource } from '../plan/requests.ts';
import type { Amounts } from '../plan/types.ts';

/** An instance type, as EC2 describes it. */
export interface InstanceTypeFacts {
  readonly instanceType: string;
  /** As in the label `kubernetes.io/arch`. */
  readonly architecture: 'amd64' | 'arm64';
  readonly cpus: number;
  readonly memoryMebibytes: number;
  /** Of the default network card, which the VPC CNI uses. */
  readonly interfaces: number;
  readonly ipv4AddressesPerInterface: number;
  /** Accelerators, by the name of the resource that their device plugin registers. */
  readonly devices: Readonly<Record<string, number>>;
}

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;

/** The default of the kubelet. */
export const podsWithoutVpcCni = 110;

/** How many pods the VPC CNI can give an address, without prefix delegation (awslabs/amazon-eks-ami, `eni_max_pods.go`). */
export const podsWithVpcCni = ({
  interfaces,
  ipv4AddressesPerInterface,
}: Pick<InstanceTypeFacts, 'interfaces' | 'ipv4AddressesPerInterface'>): number =>
  interfaces * (ipv4AddressesPerInterface - 1) + 2;

/**
 * What a node of this type has for pods, by the defaults of EKS: kube-reserved of nodeadm (awslabs/amazon-eks-ami, `config.go`), and its hard eviction
 * threshold for memory. Elsewhere a node reserves less, so this promises no more than it has.
 */
export function allocatableOf(type: InstanceTypeFacts, hasVpcCni: boolean): Amounts {
  const pods = hasVpcCni ? podsWithVpcCni(type) : podsWithoutVpcCni;
  const reservedMebibytes = 255 + 11 * podsWithVpcCni(type) + 100;
  return new Map([
    ['cpu', type.cpus * 1000 - reservedThousandths(type.cpus)],
    ['memory', Math.max(0, usableMebibytes(type) - reservedMebibytes) * mebibyte],
    [podsResource, pods],
    ...Object.entries(type.devices),
  ]);
}

/**
 * The memory that Linux sees. EC2 does not say how much the hypervisor keeps: Karpenter assumes 7.5 % for any type, after the 64 MiB that arm64 reserves
 * for contiguous allocation (karpenter-provider-aws, `pkg/providers/instancetype/types.go`).
 */
function usableMebibytes({ memoryMebibytes, architecture }: InstanceTypeFacts): number {
  const seen = memoryMebibytes - (architecture === 'arm64' ? 64 : 0);
  return seen - Math.ceil(seen * 0.075);
}

/** Thousandths of each CPU that nodeadm reserves, by the number of the CPU. Each band is rounded down. */
const bands: readonly { readonly cpus: number; readonly share: number }[] = [
  { cpus: 1, share: 60 },
  { cpus: 1, share: 10 },
  { cpus: 2, share: 5 },
  { cpus: Number.POSITIVE_INFINITY, share: 2.5 },
];

function reservedThousandths(cpus: number): number {
  let left = cpus;
  let reserved = 0;
  for (const band of bands) {
    const inBand = Math.min(left, band.cpus);
    reserved += Math.floor(inBand * band.share);
    left -= inBand;
  }
  return reserved;
}

/** Of a root volume: nodeadm reserves 1 GiB, and the kubelet evicts pods when a tenth is left. */
export const ephemeralStorageOf = (volumeGibibytes: number): number =>
  Math.max(0, Math.floor(volumeGibibytes * gibibyte * 0.9) - gibibyte);

import { type InstanceTypeFigures, instanceTypeTable } from '../aws/ec2/instance-type-table.ts';
import type { KubeletOptions } from '../kubernetes/kubelet/node-object.ts';

/** Karpenter takes this share of the memory for the hypervisor (`vm-memory-overhead-percent`). */
const hypervisorShare = 0.075;

/** Karpenter takes these from arm64 types before the share: the kernel keeps them (CMA). */
const armReservedMebibytes = 64;

const evictionMebibytes = 100;

/**
 * What the kubelet of Amazon's image for EKS reports on a type, with one address of the VPC for each pod.
 *
 * Sources: awslabs/amazon-eks-ami `nodeadm/internal/kubelet`, aws/karpenter-provider-aws `pkg/providers/instancetype`.
 */
export function nodeCapacity(
  instanceType: string,
): Pick<KubeletOptions, 'capacity' | 'allocatable' | 'architecture'> {
  const figures = instanceTypeTable.get(instanceType);
  if (figures === undefined) return {};
  const memoryMebibytes = usableMebibytes(figures);
  const pods = maximumPods(figures);
  const reservedMebibytes = 255 + 11 * pods + evictionMebibytes;
  return {
    architecture: isArm(figures) ? 'arm64' : 'amd64',
    capacity: { cpu: String(figures.cpus), memory: `${memoryMebibytes}Mi`, pods: String(pods) },
    allocatable: {
      cpu: `${figures.cpus * 1000 - reservedMillicores(figures.cpus)}m`,
      memory: `${memoryMebibytes - reservedMebibytes}Mi`,
    },
  };
}

const isArm = ({ architectures }: InstanceTypeFigures): boolean => architectures.includes('arm64');

function usableMebibytes(figures: InstanceTypeFigures): number {
  const memory = figures.memoryMebibytes - (isArm(figures) ? armReservedMebibytes : 0);
  return memory - Math.ceil(memory * hypervisorShare);
}

/** Each interface keeps its first address for itself; two pods use the network of the host. Only the default card counts. */
const maximumPods = ({ interfacesOfCards: [interfaces = 0], ...figures }: InstanceTypeFigures): number =>
  interfaces * (figures.ipv4AddressesPerInterface - 1) + 2;

/** Six percent of the first core, one of the second, half of the next two, a quarter of the rest. */
function reservedMillicores(cpus: number): number {
  const bands = [
    { from: 0, to: 1, millicoresPerCore: 60 },
    { from: 1, to: 2, millicoresPerCore: 10 },
    { from: 2, to: 4, millicoresPerCore: 5 },
    { from: 4, to: Number.POSITIVE_INFINITY, millicoresPerCore: 2.5 },
  ];
  const cores = (from: number, to: number): number => Math.max(0, Math.min(cpus, to) - from);
  return bands.reduce(
    (sum, { from, to, millicoresPerCore }) => sum + Math.floor(cores(from, to) * millicoresPerCore),
    0,
  );
}

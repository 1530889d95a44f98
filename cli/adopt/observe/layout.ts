import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { ObservedLayout, ObservedMachine } from '../plan/layout.ts';

/** How a group divides its nodes, from the answer that describes it. No further call. Pure. */
export function layoutOf(group: AutoScalingGroup): ObservedLayout {
  const { MixedInstancesPolicy: policy, InstanceMaintenancePolicy: maintenance } = group;
  const { MinHealthyPercentage: minimum = -1, MaxHealthyPercentage: maximum = -1 } = maintenance ?? {};
  const overrides = policy?.LaunchTemplate?.Overrides ?? [];
  const { OnDemandPercentageAboveBaseCapacity: onDemandPercentage = 100, SpotAllocationStrategy } =
    policy?.InstancesDistribution ?? {};
  return {
    zones: group.AvailabilityZones ?? [],
    minSize: group.MinSize ?? 0,
    balancesZones: !(group.SuspendedProcesses ?? []).some(({ ProcessName }) => ProcessName === 'AZRebalance'),
    // "lowest-price" is the default of the API (InstancesDistribution, SpotAllocationStrategy).
    spotStrategy: policy && onDemandPercentage < 100 ? (SpotAllocationStrategy ?? 'lowest-price') : undefined,
    rebalancesCapacity: group.CapacityRebalance === true,
    instanceTypes: overrides.flatMap(({ InstanceType }) => InstanceType ?? []),
    hasWeights: overrides.some(({ WeightedCapacity }) => Number(WeightedCapacity ?? 1) > 1),
    // -1 clears a percentage (API reference, InstanceMaintenancePolicy).
    minHealthyPercentage: minimum < 0 || maximum < 0 ? undefined : minimum,
    hasWarmPool: group.WarmPoolConfiguration !== undefined,
  };
}

/** Volumes of EBS as a kubelet names them: of the CSI driver, and of the plugin that Kubernetes had before 1.27. */
const volumeOfEbs = /^kubernetes\.io\/(?:csi\/ebs\.csi\.aws\.com\^|aws-ebs\/)/;

/** What a Node shows of its machine. Pure. */
export const machineOf = ({ metadata, spec, status }: Node): ObservedMachine => ({
  labels: metadata?.labels ?? {},
  taints: (spec?.taints ?? []).map(({ key, value = '', effect }) => ({ key, value, effect })),
  cpu: status?.capacity?.['cpu'] ?? '',
  memoryKibibytes: kibibytes(status?.capacity?.['memory'] ?? ''),
  hasVolumes: (status?.volumesAttached ?? []).some(({ name }) => volumeOfEbs.test(name)),
});

/** Kubelets report kibibytes; undefined for another spelling. */
function kibibytes(quantity: string): number | undefined {
  const [, number] = /^(\d{1,15})Ki$/.exec(quantity) ?? [];
  return number === undefined ? undefined : Number(number);
}

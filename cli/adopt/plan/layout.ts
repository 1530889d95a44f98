import type { Taint } from 'kubernetes-types/core/v1.d.ts';

/** How a group divides its nodes, as AWS describes it. */
export interface ObservedLayout {
  readonly zones: readonly string[];
  readonly minSize: number;
  /** The process AZRebalance is not suspended. */
  readonly balancesZones: boolean;
  /** Undefined if its policy launches no Spot Instances. */
  readonly spotStrategy: string | undefined;
  readonly rebalancesCapacity: boolean;
  /** The types in its policy; empty if the launch template decides. */
  readonly instanceTypes: readonly string[];
  readonly hasWeights: boolean;
  /** Undefined without an instance maintenance policy. */
  readonly minHealthyPercentage: number | undefined;
  readonly hasWarmPool: boolean;
}

/** What a Node shows of its machine. */
export interface ObservedMachine {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Required<Pick<Taint, 'key' | 'value' | 'effect'>>[];
  /** As the Node spells its capacity. */
  readonly cpu: string;
  readonly memoryKibibytes: number | undefined;
  /** Volumes of EBS are attached, which stay in their zone. */
  readonly hasVolumes: boolean;
}

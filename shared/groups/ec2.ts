/** EC2, as the passes use it. */
export interface Ec2 {
  /** Undefined if EC2 does not know the id. This is evidence only if the instance is missing twice, minutes apart. */
  describeInstance(instanceId: string): Promise<Ec2Instance | undefined>;
}

/** An EC2 instance, as the passes use it. */
export interface Ec2Instance {
  readonly instanceId: string;
  readonly state: 'pending' | 'running' | 'shutting-down' | 'terminated' | 'stopping' | 'stopped';
  readonly privateDnsName?: string;
  readonly privateIpAddress?: string;
  readonly ipv6Address?: string;
  readonly availabilityZone?: string;
  /** Such as `m5.large`. */
  readonly instanceType?: string | undefined;
  /** `InstanceLifecycle` of EC2's API, such as `spot`; undefined for an On-Demand Instance. */
  readonly lifecycle?: string | undefined;
  /** Epoch milliseconds of the launch. */
  readonly launchedAt?: number;
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * The lifecycles of the instances about which EC2 sends a warning, by the warning (EC2 API reference, `InstanceLifecycle` of
 * DescribeInstances). Anyone who can send to the inbox can write a warning, but cannot change what EC2 reports.
 */
const warned = {
  'spot-interruption': ['spot'],
  rebalance: ['spot'],
  'capacity-reservation': ['capacity-block', 'interruptible-capacity-reservation'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Ec2Warning = keyof typeof warned;

/** Whether EC2 could have sent the warning about an instance of this lifecycle. Pure. */
export const mayBeWarned = (warning: Ec2Warning, { lifecycle }: Pick<Ec2Instance, 'lifecycle'>): boolean =>
  warned[warning].some((known) => known === lifecycle);

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
  /** A Spot Instance. */
  readonly spot: boolean;
  /** Epoch milliseconds of the launch. */
  readonly launchedAt?: number;
  readonly tags: Readonly<Record<string, string>>;
}

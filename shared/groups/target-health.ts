/** Load balancers, as a leaving instance needs them. */
export interface TargetHealth {
  /** The target groups of these in which the instance is still being deregistered: requests may be in flight. */
  draining(input: {
    readonly instanceId: string;
    readonly targetGroupArns: readonly string[];
  }): Promise<readonly string[]>;
}

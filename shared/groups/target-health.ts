/** Load balancers, as the leaving pass uses them. */
export interface TargetHealth {
  /** The target groups that are still deregistering the instance: requests may be in flight. */
  draining(input: {
    readonly instanceId: string;
    readonly targetGroupArns: readonly string[];
  }): Promise<readonly string[]>;
}

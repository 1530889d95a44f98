/** An instance that waits on hooks of its group on its way into the warm pool, or out of the pool to its termination. */
export interface WarmPoolWait {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  /** `Warmed:Pending:Wait` or `Warmed:Terminating:Wait`. */
  readonly lifecycleState: string;
  /** Epoch milliseconds at which its activity began; undefined if no recent activity of the group that is in progress names it. */
  readonly since: number | undefined;
  /** Whether it was in service and returns to the pool. An instance that is launched into the pool waits in the same state. */
  readonly isReturn: boolean;
}

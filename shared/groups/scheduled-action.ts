/** A scheduled action of EC2 Auto Scaling, which sets the sizes of a group at its time. Schedules of Drover are something else. */
export interface ScheduledAction {
  readonly autoScalingGroupName: string;
  /** Distinct within the group. */
  readonly name: string;
  /** When it runs next, in epoch milliseconds; undefined if AWS does not say it. */
  readonly nextAt: number | undefined;
  /** In Unix cron syntax; undefined for an action that runs once. */
  readonly recurrence?: string;
  readonly timeZone?: string;
  readonly minSize?: number;
  readonly maxSize?: number;
  readonly desiredCapacity?: number;
}

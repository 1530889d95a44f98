import type { AutoScalingGroup } from '../groups/group.ts';
import type { InstanceLaunch } from './member.ts';
import type { LaunchTarget } from './roll.ts';

/** What a group would launch, or why that is not known. */
export type TargetReading = LaunchTarget | { readonly unknown: string };

/** What groups launch, and how their instances were launched. Methods reject with the error of the SDK if AWS refuses the call. */
export interface RollLaunches {
  /** What each of these groups would launch now, by its name. */
  readTargets(groups: readonly AutoScalingGroup[]): Promise<ReadonlyMap<string, TargetReading>>;
  /** How EC2 launched these instances, by id. An instance that EC2 does not describe is left out. */
  readInstances(
    instanceIds: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<InstanceLaunch, 'launchedAt' | 'imageId'>>>;
  /** The instances whose termination has begun and not ended, by the newest activities of the group. */
  readTerminating(autoScalingGroupName: string): Promise<ReadonlySet<string>>;
  /** The id of an instance refresh of the group that has not ended. */
  findActiveRefresh(autoScalingGroupName: string): Promise<string | undefined>;
  /** How many launches of the group have failed since then (epoch milliseconds), and why the newest of them did. */
  readFailedLaunches(autoScalingGroupName: string, since: number): Promise<FailedLaunches>;
}

export interface FailedLaunches {
  readonly count: number;
  /** All launches that have ended since then, also good ones; undefined if none has. */
  readonly ended?: number;
  /** In AWS's words; undefined if none has failed. */
  readonly newest?: string;
}

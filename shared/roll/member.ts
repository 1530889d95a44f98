import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { GroupMember } from '../groups/group.ts';
import type { LaunchedFrom, Roll } from './roll.ts';

/** How EC2 launched an instance. */
export interface InstanceLaunch {
  /** Epoch milliseconds. */
  readonly launchedAt: number;
  readonly imageId: string;
  /** Undefined for an instance of a launch configuration, and for one that was attached. */
  readonly template?: Pick<LaunchedFrom, 'templateId' | 'version'>;
}

/** An instance of a group as a roll sees it. */
export interface RollMember extends GroupMember {
  readonly autoScalingGroupName: string;
  /** Undefined if EC2 does not describe the instance: it is not replaced then. */
  readonly launch?: InstanceLaunch;
  /** Undefined before it joins. */
  readonly node?: Node;
}

/** Whether an instance was launched since the roll began, for whatever reason. Pure. */
export const isLaunchedSince = (
  { startedAt }: Pick<Roll, 'startedAt'>,
  { launch }: Pick<RollMember, 'launch'>,
): boolean => (launch?.launchedAt ?? 0) >= startedAt;

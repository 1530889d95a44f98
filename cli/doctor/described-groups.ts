import { type AutoScalingGroup, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import type { DoctorContext } from './doctor-context.ts';

/** DescribeAutoScalingGroups takes so many names. */
const namesAtOnce = 50;

/** The managed groups as AWS describes them, for fields that only a check reads. */
export async function describedGroups({
  autoScaling,
  managedGroups,
}: Pick<DoctorContext, 'autoScaling' | 'managedGroups'>): Promise<readonly AutoScalingGroup[]> {
  const names = (await managedGroups()).map(({ autoScalingGroupName }) => autoScalingGroupName);
  const found: AutoScalingGroup[] = [];
  for (let start = 0; start < names.length; start += namesAtOnce) {
    const AutoScalingGroupNames = names.slice(start, start + namesAtOnce);
    const input = { AutoScalingGroupNames, MaxRecords: namesAtOnce };
    const { AutoScalingGroups = [] } = await autoScaling.send(new DescribeAutoScalingGroupsCommand(input));
    found.push(...AutoScalingGroups);
  }
  return found;
}

import { describeGroups } from '../../../../shared/aws/auto-scaling.ts';
import { warmPoolMembers } from '../../../../shared/aws/warm-pools.ts';
import type { AdoptAccess } from '../../../adopt/access.ts';

/** The instances of a group now, with those of its warm pool. */
export async function membersOf(
  group: string,
  { autoScaling: { client } }: Pick<AdoptAccess, 'autoScaling'>,
) {
  const { groups } = await describeGroups(client, { AutoScalingGroupNames: [group] });
  const [described] = groups;
  const pool = described?.hasWarmPool ? await warmPoolMembers(client, group) : [];
  return [...(described?.instances ?? []), ...pool];
}

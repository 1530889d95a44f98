import { warmPoolMembers } from '../../shared/aws/warm-pools.ts';
import { instanceIdPattern } from '../../shared/base/instance-id.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import type { AutoScalingAccess } from '../auto-scaling/access.ts';
import { ownGroup } from '../auto-scaling/groups.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

type Access = Pick<AutoScalingAccess, 'client' | 'clusterName' | 'describeInstance'>;

/**
 * The group of this name with the members of its warm pool, or the group of this instance with only that instance. A group without the cluster's tag is taken: its waits are the ones that Drover itself may not complete. A group of
 * another cluster is refused.
 *
 * @throws CliError
 */
export async function targetGroup(access: Access, name: string): Promise<AutoScalingGroup> {
  const instance = instanceIdPattern.test(name) ? await access.describeInstance(name) : undefined;
  if (instanceIdPattern.test(name) && !instance)
    throw new CliError(
      `no Auto Scaling group has instance ${name} in this account and region`,
      exitCodes.failed,
    );
  const group = await ownGroup(access, instance?.autoScalingGroupName ?? name);
  if (instance) return { ...group, instances: [instance] };
  if (!group.hasWarmPool) return group;
  const pooled = await warmPoolMembers(access.client, group.autoScalingGroupName);
  return { ...group, instances: [...group.instances, ...pooled] };
}

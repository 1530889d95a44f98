import { describeGroups } from '../../shared/aws/auto-scaling.ts';
import { warmPoolMembers } from '../../shared/aws/warm-pools.ts';
import { instanceIdPattern } from '../../shared/base/instance-id.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import type { AutoScalingAccess } from '../auto-scaling/access.ts';
import { otherClusterOf } from '../auto-scaling/other-cluster.ts';
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

async function ownGroup({ client, clusterName }: Access, name: string): Promise<AutoScalingGroup> {
  const { groups } = await describeGroups(client, { AutoScalingGroupNames: [name] });
  const [group] = groups;
  if (!group)
    throw new CliError(
      `there is no Auto Scaling group ${name} in this account and region: give a group, or an instance by its id`,
      exitCodes.failed,
    );
  const other = otherClusterOf(group.tags, clusterName);
  if (other === undefined) return group;
  throw new CliError(
    `${name} belongs to cluster ${other}: name that cluster with --cluster if you mean it`,
    exitCodes.failed,
  );
}

import { readGroups } from '../../shared/aws/auto-scaling.ts';
import { type AutoScalingGroup, isManaged } from '../../shared/groups/group.ts';
import { managedGroups, ownGroup } from '../auto-scaling/groups.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import type { RollAccess } from './access.ts';
import type { BeginFlags } from './flags.ts';

/**
 * The groups that a roll shall replace nodes of. A group that is named and that Drover does not manage is among them: the preflight says why it
 * cannot be rolled.
 *
 * @throws CliError `usage` if nothing or too much is named, `failed` if a group or an instance does not exist.
 */
export async function chosenGroups(
  names: readonly string[],
  { all, instance }: Pick<BeginFlags, 'all' | 'instance'>,
  access: RollAccess,
): Promise<readonly AutoScalingGroup[]> {
  if (all && names.length > 0) throw new CliError('give either groups or --all', exitCodes.usage);
  if (!all && names.length === 0 && instance === undefined)
    throw new CliError(
      'give the groups, --all or --instance (drover roll list shows the rolls)',
      exitCodes.usage,
    );
  const groups =
    names.length > 0
      ? await Promise.all([...new Set(names)].map((name) => ownGroup(access, name)))
      : await managedGroups(access);
  return instance === undefined ? groups : groupsOfInstances(groups, instance);
}

/** @throws CliError if one of them is in no group. */
function groupsOfInstances(
  groups: readonly AutoScalingGroup[],
  ids: readonly string[],
): readonly AutoScalingGroup[] {
  const groupOf = (id: string) =>
    groups.find(({ instances }) => instances.some(({ instanceId }) => instanceId === id));
  const unknown = ids.filter((id) => groupOf(id) === undefined);
  if (unknown.length > 0)
    throw new CliError(
      `none of ${groups.map(({ autoScalingGroupName }) => autoScalingGroupName).join(', ')} has ${unknown.join(', ')}`,
      exitCodes.failed,
    );
  return groups.filter((group) => ids.some((id) => groupOf(id) === group));
}

/** The groups of a roll as they are now. One that is gone is missing. */
export async function groupsNamed(
  names: readonly string[],
  { client, clusterName }: Pick<RollAccess, 'client' | 'clusterName'>,
): Promise<readonly AutoScalingGroup[]> {
  const wanted = new Set(names);
  return (await readGroups(client, clusterName)).filter(
    (group) => wanted.has(group.autoScalingGroupName) && isManaged(group, clusterName),
  );
}

/** All groups with the tag of the cluster, and these ones: the Nodes of all of them are placed together. */
export async function withOtherGroups(
  groups: readonly AutoScalingGroup[],
  { client, clusterName }: Pick<RollAccess, 'client' | 'clusterName'>,
): Promise<readonly AutoScalingGroup[]> {
  const own = new Set(groups.map(({ autoScalingGroupName }) => autoScalingGroupName));
  const others = (await readGroups(client, clusterName)).filter(
    ({ autoScalingGroupName }) => !own.has(autoScalingGroupName),
  );
  return [...groups, ...others];
}

import { describeGroups, readGroups } from '../../shared/aws/auto-scaling.ts';
import { type AutoScalingGroup, isManaged, type LifecycleHook } from '../../shared/groups/group.ts';
import { whyUnmanaged } from '../../shared/problems/tag-problems.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import type { AutoScalingAccess } from './access.ts';
import { noManagedGroup } from './no-managed-group.ts';
import { otherClusterOf } from './other-cluster.ts';

type Reader = Pick<AutoScalingAccess, 'client' | 'clusterName'>;

/**
 * The named group, or every managed group of the cluster.
 *
 * @throws CliError if there is no such group, another cluster owns it, or the cluster has none.
 */
export async function managedGroups(reader: Reader, name?: string): Promise<readonly AutoScalingGroup[]> {
  if (name !== undefined) return [await managedGroup(reader, name)];
  const { client, clusterName } = reader;
  const groups = (await readGroups(client, clusterName)).filter((group) => isManaged(group, clusterName));
  if (groups.length > 0) return groups;
  throw new CliError(noManagedGroup(clusterName), exitCodes.failed);
}

async function namedGroup({ client }: Pick<Reader, 'client'>, name: string): Promise<AutoScalingGroup> {
  const { groups } = await describeGroups(client, { AutoScalingGroupNames: [name] });
  const [group] = groups;
  if (group) return group;
  throw new CliError(
    `there is no Auto Scaling group ${name} in this account and region: drover hooks lists the managed groups`,
    exitCodes.failed,
  );
}

/**
 * The group, unless its tags name another cluster. One that has lost its tags is taken: it may have been this cluster's.
 *
 * @throws CliError if the group does not exist, or another cluster owns it.
 */
export async function ownGroup(reader: Reader, name: string): Promise<AutoScalingGroup> {
  const group = await namedGroup(reader, name);
  const other = otherClusterOf(group.tags, reader.clusterName);
  if (other === undefined) return group;
  throw new CliError(
    `${name} belongs to cluster ${other}: name that cluster with --cluster if you mean it`,
    exitCodes.failed,
  );
}

/** @throws CliError if the group does not exist, or the cluster does not manage it. */
export async function managedGroup({ client, clusterName }: Reader, name: string): Promise<AutoScalingGroup> {
  const group = await namedGroup({ client }, name);
  const reason = whyUnmanaged(group, clusterName);
  if (reason === undefined) return group;
  throw new CliError(`cluster ${clusterName} does not manage ${name}: ${reason}`, exitCodes.failed);
}

/** AWS refuses calls that come too fast, and one that is refused would hide what all others show. */
const callsAtOnce = 10;

/**
 * The hooks of each group, by its name.
 *
 * @throws the error of the first group that cannot be read: without its hooks it would look like a group that lacks them.
 */
export async function hooksOf(
  { describeHooks }: Pick<AutoScalingAccess, 'describeHooks'>,
  groups: readonly AutoScalingGroup[],
): Promise<ReadonlyMap<string, readonly LifecycleHook[]>> {
  const hooks = new Map<string, readonly LifecycleHook[]>();
  const queue = groups.values();
  const work = async (): Promise<void> => {
    for (const { autoScalingGroupName: name } of queue) hooks.set(name, await describeHooks(name));
  };
  await Promise.all(Array.from({ length: Math.min(callsAtOnce, groups.length) }, work));
  return hooks;
}

import { readGroups } from '../../../shared/aws/auto-scaling.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { eksNodegroupOf } from '../../../shared/groups/group.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import type { RollAccess } from '../access.ts';

/**
 * Refuses to change or show the roll of a group that EKS manages: it has none. EKS cannot cancel the update of
 * a node group.
 *
 * @throws CliError `failed` with what can be done, if EKS manages a group of this name.
 */
export async function refuseNodegroup(
  name: string,
  { client, clusterName }: Pick<RollAccess, 'client' | 'clusterName'>,
  kind: 'status' | 'pause' | 'resume' | 'abort',
): Promise<void> {
  const group = (await readGroups(client, clusterName)).find((one) => one.autoScalingGroupName === name);
  const nodegroup = group && eksNodegroupOf(group);
  if (nodegroup === undefined) return;
  const of = `--name ${shellWord(nodegroup.eksClusterName)} --nodegroup-name ${shellWord(nodegroup.nodegroupName)}`;
  const shows = `aws eks list-updates ${of} lists its updates, aws eks describe-update ${of} --update-id ID shows one`;
  throw new CliError(
    kind === 'status'
      ? `EKS manages ${name} and updates it by itself: ${shows}`
      : `EKS manages ${name}, and its update takes no ${kind}: ${shows}. A budget that allows no eviction makes it fail after 15 minutes without --force; nodes that it has replaced stay, and another update with the former version replaces them again`,
    exitCodes.failed,
  );
}

import { CliError, exitCodes } from '../../exit-codes.ts';
import type { RollAccess } from '../access.ts';
import { findNodegroup } from './find.ts';
import { updateCommands } from './follow.ts';

/**
 * Refuses to change the roll of a group that EKS manages: it has none. EKS cannot cancel the update of a node group.
 *
 * @throws CliError `failed` with what can be done, if EKS manages a group of this name.
 */
export async function refuseNodegroup(
  name: string,
  access: Pick<RollAccess, 'client' | 'clusterName'>,
  kind: 'pause' | 'resume' | 'abort',
): Promise<void> {
  const nodegroup = await findNodegroup(name, access);
  if (nodegroup === undefined) return;
  throw new CliError(
    `EKS manages ${name}, and its update takes no ${kind}: ${updateCommands(nodegroup)}. A budget that allows no eviction makes it fail after 15 minutes without --force; nodes that it has replaced stay, and another update with the former version replaces them again`,
    exitCodes.failed,
  );
}

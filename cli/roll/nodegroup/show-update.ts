import { eksClient } from '../../../shared/aws/clients.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import type { CliContext } from '../../context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { environmentOf, hostOf } from '../../host.ts';
import { jsonText } from '../../json-text.ts';
import { oneLine } from '../../plain-text.ts';
import type { RollAccess } from '../access.ts';
import type { RollAccessFlags } from '../access-flags.ts';
import { blockedText, failureOf } from './blocked-text.ts';
import type { ChosenNodegroup } from './choose.ts';
import { followUpdate, updateCommands } from './follow.ts';
import { type BlockedNodes, readBlockedPods } from './read.ts';
import { describeError, type NodegroupUpdate, readNewestUpdate } from './read-updates.ts';

interface Shown {
  readonly nodegroup: ChosenNodegroup;
  readonly access: RollAccess;
  readonly flags: RollAccessFlags & {
    readonly wait?: true;
    readonly timeout: number;
    readonly json?: true;
  };
}

/**
 * Shows the update of a node group that is in progress, with the pods that hold it, or else the newest one; with `--wait` it follows one that is in
 * progress to its end.
 *
 * @throws CliError `failed` if the updates cannot be read, or with `--wait` if the update did not succeed.
 */
export async function showUpdate(shown: Shown, context: CliContext): Promise<void> {
  const { nodegroup, flags } = shown;
  const eks = eksClient(awsConnection(hostOf(context, environmentOf(flags, context))));
  const update = await readNewestUpdate(eks, nodegroup).catch((error: unknown) => {
    throw new CliError(
      `EKS manages ${nodegroup.group.autoScalingGroupName}, and its updates cannot be read: ${messageOf(error)}; ${updateCommands(nodegroup)}`,
      exitCodes.failed,
    );
  });
  const isMoving = update?.status === 'InProgress';
  if (flags.wait && isMoving) {
    const { timeout, json } = flags;
    const followed = { nodegroup, updateId: update.id, timeout, ...(json && { json }) };
    const errors = await followUpdate(eks, followed, context);
    if (errors.length > 0) throw await failureOf(errors, shown, context);
    return;
  }
  const { blocked } = isMoving ? await readHolding(shown, context) : { blocked: [] };
  const { eksClusterName: cluster, nodegroupName } = nodegroup;
  context.stdout.write(
    flags.json
      ? jsonText({ cluster, nodegroup: nodegroupName, update: update ?? null, blocked })
      : `${updateText(nodegroup, update)}${blockedText(blocked)}`,
  );
}

/** What holds an update adds to what EKS says, so that a cluster that cannot be read is a warning. */
async function readHolding(
  { nodegroup, access, flags }: Shown,
  context: CliContext,
): Promise<Pick<BlockedNodes, 'blocked'>> {
  const warn = (message: string) => context.stderr.write(`warning: ${oneLine(message)}\n`);
  try {
    const { blocked, warnings } = await readBlockedPods(nodegroup, access, flags, context);
    for (const warning of warnings) warn(warning);
    return { blocked };
  } catch (error) {
    warn(`the pods that budgets hold are not known: ${messageOf(error)}`);
    return { blocked: [] };
  }
}

function updateText(
  { nodegroupName, eksClusterName }: ChosenNodegroup,
  update: NodegroupUpdate | undefined,
): string {
  const name = `node group ${oneLine(nodegroupName)} of EKS cluster ${oneLine(eksClusterName)}`;
  if (update === undefined) return `${name} has had no update\n`;
  const { id, status, type, createdAt, params, errors } = update;
  const asked = params.length === 0 ? '' : ` (${params.join(', ')})`;
  const lines = [
    `${name}: update ${id} is ${status}, ${type}${asked}, begun at ${new Date(createdAt).toISOString()}`,
    ...errors.map((error) => `  ${describeError(error)}`),
  ];
  return `${lines.map(oneLine).join('\n')}\n`;
}

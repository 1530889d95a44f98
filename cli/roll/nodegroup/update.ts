import { type EKSClient, UpdateNodegroupVersionCommand } from '@aws-sdk/client-eks';
import { eksClient } from '../../../shared/aws/clients.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import type { CliContext } from '../../context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { environmentOf, hostOf } from '../../host.ts';
import { jsonLine, jsonText } from '../../json-text.ts';
import { oneLine } from '../../plain-text.ts';
import type { RollAccess } from '../access.ts';
import type { BeginFlags } from '../flags.ts';
import { blockedText, failureOf } from './blocked-text.ts';
import type { ChosenNodegroup } from './choose.ts';
import { describeUpdate, followUpdate } from './follow.ts';
import { type NodegroupPlan, planNodegroup } from './plan.ts';
import { type BlockedNodes, readBlockedPods, readNodegroup } from './read.ts';

interface Work {
  readonly nodegroup: ChosenNodegroup;
  readonly access: RollAccess;
  readonly flags: BeginFlags;
}

/**
 * Has EKS update a managed node group, after it has shown what would hold that; with `--dry-run` only that. The call has the rights of the
 * user: EKS carries the update out, so no pass and no right of the deployment is needed.
 *
 * @throws CliError `failed` if the update is refused, or did not succeed.
 */
export async function updateNodegroup(work: Work, context: CliContext): Promise<void> {
  const { nodegroup, access, flags } = work;
  const eks = eksClient(awsConnection(hostOf(context, environmentOf(flags, context))));
  const [facts, held] = await Promise.all([
    readNodegroup(eks, nodegroup),
    readBlockedPods(nodegroup, access, flags, context),
  ]);
  for (const warning of [...held.warnings, ...facts.issues.map((issue) => `EKS reports ${issue}`)])
    context.stderr.write(`warning: ${oneLine(warning)}\n`);
  const plan = planNodegroup(nodegroup, facts, held, flags);
  const updateId = flags.dryRun || plan.refusal !== undefined ? undefined : await beginUpdate(eks, plan);
  print({ work, plan, held, updateId }, context);
  if (plan.refusal !== undefined)
    throw new CliError(
      `${nodegroup.group.autoScalingGroupName} is not updated: ${plan.refusal}`,
      exitCodes.failed,
    );
  if (updateId === undefined || !flags.wait) return;
  const { timeout, json } = flags;
  const errors = await followUpdate(eks, { nodegroup, updateId, timeout, ...(json && { json }) }, context);
  if (errors.length > 0) throw await failureOf(errors, work, context);
}

/** @throws the error of EKS, or one without an id. */
async function beginUpdate(eks: EKSClient, { input }: NodegroupPlan): Promise<string> {
  const { update } = await eks.send(new UpdateNodegroupVersionCommand(input));
  if (update?.id === undefined)
    throw new CliError('EKS has begun the update and did not say its id', exitCodes.failed);
  return update.id;
}

function print(
  {
    work: { nodegroup, flags },
    plan,
    held: { blocked },
    updateId,
  }: {
    readonly work: Work;
    readonly plan: NodegroupPlan;
    readonly held: BlockedNodes;
    readonly updateId: string | undefined;
  },
  { stdout }: CliContext,
): void {
  const { eksClusterName: cluster, nodegroupName: name } = nodegroup;
  if (flags.json) {
    const data = {
      cluster,
      nodegroup: name,
      change: plan.change,
      done: updateId !== undefined,
      update: updateId ?? null,
      refusal: plan.refusal ?? null,
      blocked,
    };
    stdout.write(flags.wait && updateId !== undefined ? jsonLine(data) : jsonText(data));
    return;
  }
  stdout.write(`node group ${oneLine(name)} of EKS cluster ${oneLine(cluster)}: ${oneLine(plan.change)}\n`);
  stdout.write(blockedText(blocked));
  if (plan.refusal !== undefined) return;
  stdout.write(
    updateId === undefined
      ? '\nEKS would update it (dry run)\n'
      : `\nEKS updates it, and cannot be paused or stopped: ${describeUpdate({ nodegroup, updateId })}\n`,
  );
}

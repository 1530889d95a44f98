import { planSummaryOf, type RotationSummary, summaryOf } from '../../shared/credentials/rotation-summary.ts';
import { clusterConnections } from '../../shared/runtime/compose-cluster.ts';
import { composeRotation, type Rotation } from '../../shared/runtime/compose-rotation.ts';
import { connectionsTo } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { hostOf } from '../host.ts';
import { jsonText } from '../json-text.ts';
import { tableText } from '../table.ts';

export interface RotateFlags extends ClusterFlags {
  readonly dryRun?: true;
  readonly json?: true;
  readonly ifDue?: true;
  readonly cluster?: string;
  readonly parameter?: string;
}

/** Rotates the bootstrap credential, or with `--dry-run` says what a rotation would do. */
export async function rotate(flags: RotateFlags, context: CliContext): Promise<void> {
  const rotation = rotationOf(flags, context);
  const options = { force: flags.ifDue !== true };
  const plan = await rotation.preview(options);
  if (flags.dryRun) {
    context.stdout.write(textOf(planSummaryOf(plan), { flags, rotation }));
    return;
  }
  if (plan.moves && flags.kubeconfig !== undefined)
    throw new CliError(
      `new nodes would get another server or certificate authority (${plan.server}) because of --kubeconfig: do not give it, or set DROVER_BOOTSTRAP_SERVER and DROVER_BOOTSTRAP_CERTIFICATE_AUTHORITY to what nodes need`,
      exitCodes.failed,
    );
  const report = await rotation.rotate(options);
  context.stdout.write(textOf(summaryOf(report), { flags, rotation }));
}

/** As the function is composed; names that follow from the cluster's need not be given. */
function rotationOf(flags: RotateFlags, context: CliContext): Rotation {
  const cluster = flags.cluster ?? context.environment.DROVER_CLUSTER;
  const named = (name: string): string | undefined => cluster && `/drover/${cluster}/${name}`;
  const { DROVER_BOOTSTRAP_PARAMETER, DROVER_KUBECONFIG_PARAMETER, DROVER_CREDENTIALS_KUBECONFIG_PARAMETER } =
    context.environment;
  const host = hostOf(context, {
    ...context.environment,
    DROVER_CLUSTER: cluster,
    DROVER_BOOTSTRAP_PARAMETER:
      flags.parameter ?? DROVER_BOOTSTRAP_PARAMETER ?? named('bootstrap-kubeconfig'),
    DROVER_KUBECONFIG_PARAMETER:
      DROVER_CREDENTIALS_KUBECONFIG_PARAMETER ?? DROVER_KUBECONFIG_PARAMETER ?? named('kubeconfig'),
  });
  const byFile = flags.kubeconfig !== undefined || flags.context !== undefined;
  return composeRotation(host, byFile ? connectionsTo(flags, context) : clusterConnections(host));
}

interface Shown {
  readonly flags: RotateFlags;
  readonly rotation: Rotation;
}

function textOf(summary: RotationSummary, { flags, rotation: { parameterName } }: Shown): string {
  if (flags.json) return jsonText({ parameterName, dryRun: flags.dryRun === true, ...summary });
  const rows = [
    ...summary.retire.map((verdict) => ({ ...verdict, what: 'retire' })),
    // The reason why a token was kept is about the state before: after a publication it would mislead.
    ...(summary.tokenId ? [] : summary.retain).map((verdict) => ({ ...verdict, what: 'keep' })),
  ].map(({ tokenId, expiresAt, what, reason }) => [tokenId, expiresAt, what, reason]);
  const table = rows.length > 0 ? tableText(['TOKEN', 'EXPIRES', 'WHAT', 'WHY'], rows) : '';
  return `${table}${headline(summary, { parameterName, dryRun: flags.dryRun === true })}\n`;
}

function headline(
  { action, reason, server, tokenId, expiresAt }: RotationSummary,
  { parameterName, dryRun }: { readonly parameterName: string; readonly dryRun: boolean },
): string {
  if (action === 'keep') return `nothing to publish: ${reason}`;
  if (action === 'blocked') return `a new credential would be refused: ${reason}`;
  if (dryRun) return `would publish a new credential for ${server} in ${parameterName}: ${reason}`;
  return `published token ${tokenId}, good until ${expiresAt}, for ${server} in ${parameterName}: ${reason}`;
}

import { rotateAll } from '../../shared/credentials/rotate.ts';
import { planSummaryOf, type RotationSummary, summaryOf } from '../../shared/credentials/rotation-plan.ts';
import type { BootstrapRole } from '../../shared/credentials/token-cluster.ts';
import type { Rotation } from '../../shared/runtime/rotations.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { type InterruptibleContext, unlessInterrupted } from '../interruption.ts';
import { jsonText } from '../json-text.ts';
import { sentence, type TableView, viewOf } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import { type RotationFlags, rotationsOf } from './rotations.ts';

export interface RotateFlags extends RotationFlags {
  readonly dryRun?: true;
  readonly json?: true;
  readonly ifDue?: true;
}

/** A rotation, and what it did or would do. */
interface Rotated {
  readonly rotation: Rotation;
  readonly summary: RotationSummary;
}

/** Rotates the bootstrap credential of each role, or with `--dry-run` says what a rotation would do. */
export async function rotate(flags: RotateFlags, context: InterruptibleContext): Promise<void> {
  const rotations = rotationsOf(flags, context);
  const rotated: Rotated[] = [];
  try {
    await rotateAll(rotations, async (rotation) => {
      rotated.push({ rotation, summary: await rotateOne(rotation, flags, context) });
    });
  } finally {
    // What was published stays so, whatever failed after it.
    if (rotated.length > 0)
      context.stdout.write(
        flags.json ? jsonOf(rotated, flags) : textOf(rotated, flags, viewOf(context.stdout)),
      );
  }
}

async function rotateOne(
  rotation: Rotation,
  flags: RotateFlags,
  context: InterruptibleContext,
): Promise<RotationSummary> {
  const options = { force: flags.ifDue !== true };
  const plan = await unlessInterrupted(
    rotation.preview(options),
    context,
    `nothing was published in ${rotation.parameterName}`,
  );
  if (flags.dryRun) return planSummaryOf(plan);
  if (plan.moves && flags.kubeconfig !== undefined)
    throw new CliError(
      `new nodes would get another server or certificate authority (${plan.server}) because of --kubeconfig: do not give it, or set DROVER_BOOTSTRAP_SERVER and DROVER_BOOTSTRAP_CERTIFICATE_AUTHORITY to what nodes need`,
      exitCodes.failed,
    );
  return summaryOf(await rotation.rotate(options));
}

const jsonOf = (rotated: readonly Rotated[], { dryRun = false }: { readonly dryRun?: boolean }): string =>
  jsonText(
    rotated.map(({ rotation: { role, parameterName }, summary }) => ({
      role,
      parameterName,
      dryRun,
      ...summary,
    })),
  );

const head = [{ head: 'ROLE', leftOut: 1 }, 'TOKEN', 'EXPIRES', 'WHAT', sentence('WHY')];

function textOf(
  rotated: readonly Rotated[],
  { dryRun = false }: { readonly dryRun?: boolean },
  view: TableView,
): string {
  const rows = rotated.flatMap(({ rotation: { role }, summary }) => rowsOf(role, summary));
  const table = rows.length > 0 ? tableText(head, rows, view) : '';
  const headlines = rotated.map(
    ({ rotation: { role, parameterName }, summary }) =>
      `${role}: ${headline(summary, { parameterName, dryRun })}\n`,
  );
  return `${table}${headlines.join('')}`;
}

const rowsOf = (role: BootstrapRole, { retire, retain, tokenId }: RotationSummary) =>
  [
    ...retire.map((verdict) => ({ ...verdict, what: 'retire' })),
    // The reason why a token was kept is about the state before: after a publication it would mislead.
    ...(tokenId ? [] : retain).map((verdict) => ({ ...verdict, what: 'keep' })),
  ].map(({ tokenId: id, expiresAt, what, reason }) => [role, id, expiresAt, what, reason]);

function headline(
  { action, reason, server, tokenId, expiresAt }: RotationSummary,
  { parameterName, dryRun }: { readonly parameterName: string; readonly dryRun: boolean },
): string {
  if (action === 'keep') return `nothing to publish: ${reason}`;
  if (action === 'blocked') return `a new credential would be refused: ${reason}`;
  if (dryRun) return `would publish a new credential for ${server} in ${parameterName}: ${reason}`;
  return `published token ${tokenId}, good until ${expiresAt}, for ${server} in ${parameterName}: ${reason}`;
}

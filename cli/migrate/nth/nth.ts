import { adoptAccess } from '../../adopt/access.ts';
import type { CliContext } from '../../context.ts';
import { counted } from '../../counted.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { oneLine } from '../../plain-text.ts';
import type { NthFlags } from './flags.ts';
import type { MigrationWishes } from './observation.ts';
import { observeHandler, observeNth } from './observe/observe.ts';
import { planMigration } from './plan/plan.ts';
import type { MigrationPlan } from './plan/step.ts';
import { planJson, planText } from './text.ts';

/** Plans the migration of groups from AWS Node Termination Handler to Drover, and prints the plan. */
export async function migrateNth(flags: NthFlags, context: CliContext): Promise<void> {
  const access = adoptAccess(flags, context);
  const handler = await observeHandler(flags, access, context);
  const plan = planMigration(await observeNth(handler, flags, access), wishesOf(flags));
  context.stdout.write(flags.json ? planJson(plan, { done: plan.groups.length === 0 }) : planText(plan));
  refuse(plan);
}

const wishesOf = ({ hook = [], bothDrain }: NthFlags): MigrationWishes => ({
  hooks: hook,
  bothDrain: bothDrain === true,
});

/** @throws CliError if something is not handed over. */
function refuse({ refusals }: Pick<MigrationPlan, 'refusals'>): void {
  if (refusals.length === 0) return;
  throw new CliError(
    `${counted(refusals.length, 'refusal')}: ${refusals.map(({ subject, reason }) => `${oneLine(subject)}: ${oneLine(reason)}`).join('; ')}`,
    exitCodes.failed,
  );
}

import { shellWord } from '../../../shared/base/shell-words.ts';
import { type AdoptAccess, adoptAccess } from '../../adopt/access.ts';
import { confirmed } from '../../confirm.ts';
import type { CliContext } from '../../context.ts';
import { counted } from '../../counted.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { interruptible } from '../../interruption.ts';
import { oneLine } from '../../plain-text.ts';
import { reasonOf } from '../../reason-of.ts';
import { carryOut } from './carry-out/carry-out.ts';
import type { NthFlags } from './flags.ts';
import type { MigrationWishes } from './observation.ts';
import { observeBack } from './observe/back.ts';
import { observeHandler, observeNth } from './observe/observe.ts';
import { planBack } from './plan/back.ts';
import { planMigration } from './plan/plan.ts';
import type { MigrationPlan } from './plan/step.ts';
import { doneLine, planJson, planText } from './text.ts';

/** Hands groups over from AWS Node Termination Handler to Drover, or gives them back; without `--apply` prints the plan. */
export async function migrateNth(flags: NthFlags, context: CliContext): Promise<void> {
  const { stdout, stderr } = context;
  const access = adoptAccess(flags, context);
  const planNow = await planner(flags, access, context);
  const plan = await planNow();
  const isNothing = plan.groups.length === 0;
  if (!flags.json) stdout.write(planText(plan));
  const goes =
    flags.apply === true && !isNothing && (await confirmed(questionOf(flags, plan), flags, context));
  if (!goes) {
    if (flags.json) stdout.write(planJson(plan, { done: isNothing && plan.refusals.length === 0 }));
    refuse(plan);
    if (!isNothing && !flags.apply) stderr.write('nothing was changed: give --apply to do it\n');
    return;
  }
  try {
    await interruptible(context, async (interruptibly) => {
      await carryOut(
        plan,
        {
          access,
          waitSeconds: flags.wait,
          command: commandOf(flags),
          planNow,
          onStep: (subject, step) => {
            if (!flags.json) stdout.write(doneLine(subject, step));
          },
        },
        interruptibly,
      );
    });
  } catch (error) {
    if (flags.json) stdout.write(planJson(plan, { done: false, error: reasonOf(error) }));
    throw error;
  }
  stdout.write(
    flags.json ? planJson(plan, { done: plan.refusals.length === 0 }) : `${doneText(flags, plan)}\n`,
  );
  refuse(plan);
}

/** What plans all groups of the flags, or one of them. The handler is read once: it may be uninstalled meanwhile. */
async function planner(
  flags: NthFlags,
  access: AdoptAccess,
  context: CliContext,
): Promise<(group?: string) => Promise<MigrationPlan>> {
  const flagsOf = (group: string | undefined): NthFlags =>
    group === undefined ? flags : { ...flags, group: [group] };
  if (flags.back)
    return async (group) => {
      const { groups, unknown } = await observeBack(flagsOf(group), access);
      return planBack(groups, unknown);
    };
  const handler = await observeHandler(flags, access, context);
  return async (group) =>
    planMigration(await observeNth(handler, flagsOf(group), access), {
      ...wishesOf(flags),
      isOneOfSeveral: group !== undefined,
    });
}

const wishesOf = ({ hook = [], bothDrain }: NthFlags): Omit<MigrationWishes, 'isOneOfSeveral'> => ({
  hooks: hook,
  bothDrain: bothDrain === true,
});

const namesOf = ({ groups }: MigrationPlan): string =>
  groups.map(({ autoScalingGroupName }) => oneLine(autoScalingGroupName)).join(', ');

const questionOf = ({ back }: NthFlags, plan: MigrationPlan): string =>
  back
    ? `Give ${namesOf(plan)} back to AWS Node Termination Handler?`
    : `Hand ${namesOf(plan)} over to Drover?`;

const doneText = ({ back }: NthFlags, plan: MigrationPlan): string =>
  back
    ? `${namesOf(plan)}: as before the migration`
    : `${namesOf(plan)}: Drover drains the nodes from now on`;

/** The command that goes on, with the same servers. */
const commandOf = (flags: NthFlags): string => {
  const { back, group = [], hook = [], bothDrain } = flags;
  const words = (name: string, values: readonly (string | undefined)[]): readonly string[] => {
    const given = values.filter((value) => value !== undefined);
    return given.length > 0 ? [`--${name} ${given.map(shellWord).join(' ')}`] : [];
  };
  return [
    'drover migrate nth',
    ...words('group', group),
    ...words('hook', hook),
    ...words('values', [flags.values]),
    ...words('cluster', [flags.cluster]),
    ...words('region', [flags.region]),
    ...words('kubeconfig', [flags.kubeconfig]),
    ...words('context', [flags.context]),
    ...words('stage', [flags.stage]),
    ...(bothDrain ? ['--both-drain'] : []),
    ...(back ? ['--back'] : []),
    '--apply',
  ].join(' ');
};

/** @throws CliError if something is not handed over. */
function refuse({ refusals }: Pick<MigrationPlan, 'refusals'>): void {
  if (refusals.length === 0) return;
  throw new CliError(
    `${counted(refusals.length, 'refusal')}: ${refusals.map(({ subject, reason }) => `${oneLine(subject)}: ${oneLine(reason)}`).join('; ')}`,
    exitCodes.failed,
  );
}

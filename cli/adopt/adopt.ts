import { shellWord } from '../../shared/base/shell-words.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { adoptAccess } from './access.ts';
import { commandsOf } from './as/commands.ts';
import { formats } from './as/formats.ts';
import { execute } from './execute.ts';
import { type AdoptFlags, wishesOf } from './flags.ts';
import { observe } from './observe/observe.ts';
import { adviseGroups } from './plan/advice.ts';
import { planAdoption } from './plan/plan.ts';
import type { Plan } from './plan/step.ts';
import { planText, remarksText } from './text.ts';

/** Plans what the groups need to be managed and prints the plan; with `--yes` does it. */
export async function adopt(names: readonly string[], flags: AdoptFlags, context: CliContext): Promise<void> {
  const access = adoptAccess(flags, context);
  const { clusterName } = access.autoScaling;
  const wishes = wishesOf(flags, await readUserData(flags, context));
  const observed = await observe(names, flags, access);
  const plan = planAdoption(observed, wishes);
  const planNow = async (): Promise<Plan> => planAdoption(await observe(names, flags, access), wishes);
  const advice = adviseGroups(observed, wishes);
  if (flags.yes)
    return await interruptible(context, async ({ interrupted }) => {
      const executed = await execute(plan, planNow, access, {
        interrupted,
        onDone: (step) => {
          if (!flags.json) context.stdout.write(`done: ${oneLine(step.subject)}: ${oneLine(step.shall)}\n`);
        },
      });
      context.stdout.write(
        flags.json
          ? jsonText({
              ...planJson(plan, clusterName),
              advice,
              notices: executed.plan.notices,
              refusals: executed.plan.refusals,
              done: executed.done.map(({ id }) => id),
            })
          : remarksText(executed.done.length === 0, executed.plan),
      );
      refuse(executed.plan);
    });
  context.stdout.write(
    flags.json
      ? jsonText({ ...planJson(plan, clusterName), advice })
      : planText({ plan, advice, clusterName }, formats[flags.as]),
  );
  if (flags.check) return refuseDrift(plan, names);
  refuse(plan);
  if (!flags.plan && plan.steps.length > 0)
    context.stderr.write('nothing was changed: give --yes to do it, or use what is printed\n');
}

async function readUserData({ userData }: AdoptFlags, { readFile }: CliContext): Promise<string | undefined> {
  if (userData === undefined) return undefined;
  return await readFile(userData).catch((cause: unknown) => {
    throw new CliError(`${userData} cannot be read`, exitCodes.failed, cause);
  });
}

/** @throws CliError if the plan has something to do. */
function refuseDrift(plan: Plan, names: readonly string[]): void {
  if (plan.steps.length === 0 && plan.refusals.length === 0) return;
  throw new CliError(
    `${driftText(plan)}: drover adopt ${names.map(shellWord).join(' ')} --plan shows it`,
    exitCodes.failed,
  );
}

const driftText = ({ steps, refusals }: Plan): string =>
  [...steps.map(({ subject }) => subject), ...refusals.map(({ subject }) => subject)]
    .map(oneLine)
    .join(', ') + ' differ from what Drover needs';

/** @throws CliError if something is not adopted. */
function refuse({ refusals }: Plan): void {
  if (refusals.length === 0) return;
  throw new CliError(
    `${counted(refusals.length, 'refusal')}: ${refusals.map(({ subject, reason }) => `${oneLine(subject)}: ${oneLine(reason)}`).join('; ')}`,
    exitCodes.failed,
  );
}

/** The plan as `--json` prints it. */
const planJson = ({ steps, refusals, notices }: Plan, cluster: string) => ({
  cluster,
  steps: steps.map(({ actions, ...step }) => ({ ...step, commands: actions.flatMap(commandsOf) })),
  refusals,
  notices,
});

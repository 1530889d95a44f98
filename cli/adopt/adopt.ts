import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { commandsOf } from './as/commands.ts';
import { type AdoptFlags, wishesOf } from './flags.ts';
import { observe } from './observe/observe.ts';
import { planAdoption } from './plan/plan.ts';
import type { Plan } from './plan/step.ts';
import { planText } from './text.ts';

/** Plans what the groups need to be managed, and prints the plan. */
export async function adopt(names: readonly string[], flags: AdoptFlags, context: CliContext): Promise<void> {
  const observation = await observe(names, flags, context);
  const plan = planAdoption(observation, wishesOf(flags));
  const { clusterName } = observation;
  context.stdout.write(flags.json ? jsonText(planJson(plan, clusterName)) : planText(plan, clusterName));
  if (flags.check) {
    if (plan.steps.length > 0 || plan.refusals.length > 0)
      throw new CliError(
        `${driftText(plan)}: drover adopt ${names.join(' ')} --plan shows it`,
        exitCodes.failed,
      );
    return;
  }
  refuse(plan);
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

import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { DoctorFlags } from './doctor-context.ts';

const help = `
Reads with this machine's AWS credentials, and asks the API server with Drover's own kubeconfig from Parameter Store, so run it
where the API server can be reached. It changes nothing. With a kubeconfig for each need, name the parameters of the others in
DROVER_READER_KUBECONFIG_PARAMETER, DROVER_CREDENTIALS_KUBECONFIG_PARAMETER and DROVER_CERTIFICATES_KUBECONFIG_PARAMETER.
With holds for pods, set DROVER_POD_HOLDS=on, and DROVER_PLANNER_KUBECONFIG_PARAMETER if prewarm has its own; with rolls DROVER_ROLLS=on, and
DROVER_ROLLER_KUBECONFIG_PARAMETER if roll has its own.

Checks: your identity, the API server and Drover's rights, the groups with their tags, hooks and deletion protection, event rules,
queues and dead letters, parameters and their ages, Nodes without a providerID, Lambda's concurrency.

Examples:
  drover doctor --cluster prod
  drover doctor --cluster prod --stage prod            if the account has several stages
  drover doctor --all                                  everything that was checked
  drover doctor --json | jq -r '.findings[] | select(.verdict == "fix") | .command'
${exitCodesHelp({ done: 'nothing must be fixed; there may be advice', failed: 'something must be fixed: see the last lines', couldNotLook: 'nothing was found that must be fixed, but something could not be read' })}`;

/** `drover doctor`: what must be fixed in a deployment, and by which command. */
export const registerDoctor: RegisterCommand = (program, context) => {
  withAutoScalingFlags(program.command('doctor'))
    .description('examine a deployment and print commands that fix its problems')
    .option('--stage <stage>', 'the stage of the stack (default: the only one in the account and region)')
    .option('--all', 'list what is as it should be too, as a table')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (flags: DoctorFlags) => {
      const { doctor } = await import('./doctor.ts');
      await doctor(flags, context);
    });
};

import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { DoctorFlags } from './doctor-context.ts';

const help = `
Reads with this machine's AWS credentials, and asks the API server with Drover's own kubeconfig from Parameter Store, so run it
where the API server can be reached. It changes nothing. With a kubeconfig for each need, name the parameters of the others in
DROVER_READER_KUBECONFIG_PARAMETER, DROVER_CREDENTIALS_KUBECONFIG_PARAMETER and DROVER_CERTIFICATES_KUBECONFIG_PARAMETER.

Checks: your identity, the API server and Drover's rights, the groups with their tags, hooks and deletion protection, event rules,
queues and dead letters, parameters and their ages, Nodes without a providerID, Lambda's concurrency.

Examples:
  drover doctor --cluster prod
  drover doctor --cluster prod --stage prod            where several stages are in the account
  drover doctor --json | jq -r '.findings[] | select(.verdict == "mend") | .command'
${exitCodesHelp({ done: 'nothing must be mended; there may be advice', failed: 'something must be mended, or could not be read: the last lines say what' })}`;

/** `drover doctor`: what must be mended in a deployment, and by which command. */
export const registerDoctor: RegisterCommand = (program, context) => {
  withAutoScalingFlags(program.command('doctor'))
    .description('examine a deployment, and print the commands that mend it')
    .option('--stage <stage>', 'the stage of the stack; left out: the only one in the account and region')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (flags: DoctorFlags) => {
      const { doctor } = await import('./doctor.ts');
      await doctor(flags, context);
    });
};

import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { OperatorRoleFlags } from './operator-role.ts';

const help = `
Prints the ARN of the role that you act as, for the parameter operatorRole of a deployment. Only that role and Drover's own may send to its
queues, which drover redrive needs. STS does not say the path of a role, so the command reads it from IAM (iam:GetRole).
The question and the explanation go to standard error.

Examples:
  OPERATOR_ROLE=$(drover operator-role)                  asks at a terminal
  OPERATOR_ROLE=$(drover operator-role --yes)            in a script
${exitCodesHelp()}`;

/** `drover operator-role`: who may redrive messages, asked before a deploy. */
export const registerOperatorRole: RegisterCommand = (program, context) => {
  program
    .command('operator-role')
    .description('print the role that you act as, for the parameter operatorRole')
    .option('--region <region>', 'the AWS region of STS; overrides $AWS_REGION')
    .option('--yes', 'print it without a question')
    .addHelpText('after', help)
    .action(async (flags: OperatorRoleFlags) => {
      const { printOperatorRole } = await import('./operator-role.ts');
      await printOperatorRole(flags, context);
    });
};

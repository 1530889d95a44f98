import { GetRoleCommand } from '@aws-sdk/client-iam';
import { iamClient } from '../../shared/aws/clients.ts';
import { readCallerArn } from '../../shared/identity/arn.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { askCallerArn } from '../caller/ask-sts.ts';
import { type ConfirmFlags, confirmed } from '../confirm.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';

export type OperatorRoleFlags = Pick<AutoScalingFlags, 'region'> & Pick<ConfirmFlags, 'yes'>;

/** Prints the ARN of the caller's role once the operator has confirmed it. Nothing is printed, and the exit code is 1, if not. */
export async function printOperatorRole(flags: OperatorRoleFlags, context: CliContext): Promise<void> {
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  const caller = await askCallerArn(connection);
  if (!caller)
    throw new CliError(
      'STS does not say who you are: its answer has no ARN. Check AWS_ENDPOINT_URL and the proxy, if there is one',
      exitCodes.failed,
    );
  const name = roleNameOf(caller);
  if (name === undefined)
    throw new CliError(
      `you act as ${caller}, which is not a role: choose the ARN of the role of your operators for operatorRole, or leave it empty`,
      exitCodes.failed,
    );
  // A role of IAM Identity Center is at /aws-reserved/sso.amazonaws.com/REGION/, and the policies of the queues compare the whole ARN.
  const { Role } = await iamClient(connection).send(new GetRoleCommand({ RoleName: name }));
  const arn = Role?.Arn;
  if (!arn) throw new CliError(`IAM does not say the ARN of the role ${name}`, exitCodes.failed);
  const { stderr } = context;
  stderr.write(
    `You act as ${arn}.\nAs operatorRole it may send to Drover's queues: redrive dead letters, and also make Drover drain and terminate instances of managed groups.\n`,
  );
  // The answer goes to a variable of a shell, so only standard error is a terminal.
  const asked = { stdout: stderr, stderr, ...(context.inputLines && { inputLines: context.inputLines }) };
  if (!(await confirmed('Use it?', flags, asked)))
    throw new CliError('no role was confirmed', exitCodes.failed);
  context.stdout.write(`${arn}\n`);
}

/** The name of the role of a session; undefined for a user, the root user or a federated user. Pure. */
function roleNameOf(caller: string): string | undefined {
  const arn = readCallerArn(caller)?.canonicalArn;
  return arn && /:role\//.test(arn) ? arn.split('/').at(-1) : undefined;
}

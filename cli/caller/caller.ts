import { messageOf } from '../../shared/base/message-of.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';
import { oneLine } from '../plain-text.ts';
import { askCallerArn } from './ask-sts.ts';

/**
 * The ARN of the AWS identity that makes something, as the scale API records its callers. Resolves with the user of this machine, and warns, if STS
 * does not answer.
 *
 * @param what - what bears the name, such as `the hold`
 */
export async function callerOf(flags: AutoScalingFlags, context: CliContext, what: string): Promise<string> {
  try {
    const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
    return (await askCallerArn(connection)) ?? localUser(context);
  } catch (error) {
    const user = localUser(context);
    context.stderr.write(
      `warning: ${what} names the user of this machine, ${oneLine(user)}, and not your AWS identity: ${oneLine(messageOf(error))}\n`,
    );
    return user;
  }
}

/** An ARN without its account: `user/ana`, `assumed-role/operators/ana`. Another text stays as it is. */
export const withoutAccount = (caller: string): string =>
  caller.startsWith('arn:') ? caller.split(':').slice(5).join(':') : caller;

const localUser = ({ environment }: CliContext): string =>
  environment.USER ?? environment.LOGNAME ?? 'unknown';

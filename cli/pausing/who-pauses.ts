import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { clientSettings } from '../../shared/aws/client-settings.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';
import { oneLine } from '../plain-text.ts';

/** A pause is urgent: it does not wait long for a name. */
const longestMilliseconds = 3000;

/**
 * The AWS identity that pauses, without its account: `user/ana`, `assumed-role/operators/ana`. Resolves with the user of this machine if STS
 * does not answer.
 */
export async function whoPauses(flags: AutoScalingFlags, context: CliContext): Promise<string> {
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  const sts = new STSClient({ ...clientSettings(connection, 'STS'), maxAttempts: 1 });
  try {
    const options = { requestTimeout: longestMilliseconds, longestMilliseconds };
    const { Arn = '' } = await sts.send(new GetCallerIdentityCommand({}), options);
    return Arn.split(':').slice(5).join(':') || localUser(context);
  } catch (error) {
    const user = localUser(context);
    context.stderr.write(
      `warning: the pause names the user of this machine, ${oneLine(user)}, and not your AWS identity: ${oneLine(messageOf(error))}\n`,
    );
    return user;
  }
}

const localUser = ({ environment }: CliContext): string =>
  environment.USER ?? environment.LOGNAME ?? 'unknown';

import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { clientSettings } from '../../shared/aws/client-settings.ts';
import type { AwsConnection } from '../../shared/aws/connection.ts';

/** Commands that ask for a name do not wait long for it. */
const longestMilliseconds = 3000;

/** The ARN behind the credentials, as STS says it once and within three seconds. It needs no right of IAM. */
export async function askCallerArn(connection: AwsConnection): Promise<string | undefined> {
  const sts = new STSClient({ ...clientSettings(connection, 'STS'), maxAttempts: 1 });
  const options = { requestTimeout: longestMilliseconds, longestMilliseconds };
  const { Arn } = await sts.send(new GetCallerIdentityCommand({}), options);
  return Arn;
}

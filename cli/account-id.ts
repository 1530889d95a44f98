import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { clientSettings } from '../shared/aws/client-settings.ts';
import type { AwsConnection } from '../shared/aws/connection.ts';

/** The account that the credentials belong to; undefined where STS does not say. Rejects with its error where STS fails. */
export async function accountIdOf(connection: AwsConnection): Promise<string | undefined> {
  const { Account } = await new STSClient(clientSettings(connection, 'STS')).send(
    new GetCallerIdentityCommand({}),
  );
  return Account;
}

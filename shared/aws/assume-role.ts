import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { clientSettings } from './client-settings.ts';
import type { AwsConnection, AwsCredentials } from './connection.ts';
import { required } from './errors.ts';

export interface RoleRequest {
  readonly roleArn: string;
  readonly sessionName: string;
  readonly externalId?: string | undefined;
  readonly durationSeconds: number;
}

/** A session of a role, from the STS of the connection's region. */
export async function assumeRole(
  connection: AwsConnection,
  { roleArn, sessionName, externalId, durationSeconds }: RoleRequest,
): Promise<Required<AwsCredentials>> {
  const { Credentials, $metadata } = await new STSClient(clientSettings(connection, 'STS')).send(
    new AssumeRoleCommand({
      RoleArn: roleArn,
      RoleSessionName: sessionName,
      DurationSeconds: durationSeconds,
      ...(externalId !== undefined && { ExternalId: externalId }),
    }),
  );
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = required(Credentials, {
    name: 'Credentials',
    $metadata,
  });
  return {
    accessKeyId: required(AccessKeyId, { name: 'AccessKeyId', $metadata }),
    secretAccessKey: required(SecretAccessKey, { name: 'SecretAccessKey', $metadata }),
    sessionToken: required(SessionToken, { name: 'SessionToken', $metadata }),
    expiration: required(Expiration, { name: 'Expiration', $metadata }),
  };
}

import { GetOutboundWebIdentityFederationInfoCommand } from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand, GetWebIdentityTokenCommand, STSClient } from '@aws-sdk/client-sts';
import { clientSettings } from './client-settings.ts';
import { iamClient } from './clients.ts';
import type { AwsConnection } from './connection.ts';

export const signingAlgorithms = ['ES384', 'RS256'] as const;

export interface WebIdentityRequest {
  readonly audience: string;
  readonly durationSeconds: number;
  readonly signingAlgorithm: (typeof signingAlgorithms)[number];
}

/**
 * The JWT by which STS vouches for the caller: the IAM principal, and the instance whose credentials ask (STS API reference, GetWebIdentityToken). The endpoint is that of the
 * region: the global one has no such call.
 */
export async function getWebIdentityToken(
  connection: AwsConnection,
  { audience, durationSeconds, signingAlgorithm }: WebIdentityRequest,
): Promise<string | undefined> {
  const { WebIdentityToken } = await new STSClient(clientSettings(connection, 'STS')).send(
    new GetWebIdentityTokenCommand({
      Audience: [audience],
      DurationSeconds: durationSeconds,
      SigningAlgorithm: signingAlgorithm,
    }),
  );
  return WebIdentityToken;
}

/** The issuer of the caller's account, with the account. Rejects where the account gives out no tokens. */
export async function ownIssuer(
  connection: AwsConnection,
): Promise<{ readonly accountId: string; readonly url: string }> {
  const { Account = '' } = await new STSClient(clientSettings(connection, 'STS')).send(
    new GetCallerIdentityCommand({}),
  );
  const { IssuerIdentifier = '' } = await iamClient(connection).send(
    new GetOutboundWebIdentityFederationInfoCommand({}),
  );
  return { accountId: Account, url: IssuerIdentifier };
}

import type { AwsCredentials } from '../shared/aws/connection.ts';
import type { CliContext } from './context.ts';
import { CliError, exitCodes } from './exit-codes.ts';

/**
 * The credentials that the AWS CLI would use: the keys of the environment, unless a flag names a profile; else what the SDK
 * finds for the profile of the flag or of AWS_PROFILE, by SSO, in a container or on an instance. They are looked up at the first use, and again when they have expired.
 */
export function awsCredentials(
  environment: CliContext['environment'],
  profile?: string,
): () => Promise<AwsCredentials> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  const sessionToken = environment.AWS_SESSION_TOKEN;
  if (accessKeyId && secretAccessKey && profile === undefined)
    return async () => ({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken && { sessionToken, ...expirationIn(environment) }),
    });
  let search: Promise<() => Promise<AwsCredentials>> | undefined;
  return async () => {
    search ??= searchFor(profile ?? environment.AWS_PROFILE);
    return await (await search)();
  };
}

/**
 * `aws configure export-credentials --format env` writes it beside the keys of a session. Keys of a user never expire: beside them the variable is
 * a leftover of an earlier sign-in. As for the SDK, a text that is not a time counts as absent.
 */
function expirationIn(environment: CliContext['environment']): Pick<AwsCredentials, 'expiration'> {
  const expiration = new Date(environment['AWS_CREDENTIAL_EXPIRATION'] ?? '');
  return Number.isNaN(expiration.getTime()) ? {} : { expiration };
}

/** The search is large and most commands need none: it is loaded when it is used. It remembers what it found. */
async function searchFor(profile: string | undefined): Promise<() => Promise<AwsCredentials>> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  const provider = defaultProvider(profile === undefined ? {} : { profile });
  return async () => {
    try {
      return await provider();
    } catch (cause) {
      throw new CliError(
        'no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
        exitCodes.failed,
        cause,
      );
    }
  };
}

import type { AwsCredentials } from '../shared/aws/connection.ts';
import type { ProfileReading, ProfileSource } from './aws-profile.ts';
import type { CliContext } from './context.ts';
import { CliError, exitCodes } from './exit-codes.ts';
import { oneLine } from './plain-text.ts';

type Environment = CliContext['environment'];

/** Whether the environment itself has keys, which count unless a flag names a profile. */
export const hasOwnKeys = ({ AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret }: Environment): boolean =>
  Boolean(id && secret);

/**
 * The credentials that the AWS CLI would use: the keys of the environment, unless a flag names a profile; else what the SDK
 * finds for the profile of the flag or of AWS_PROFILE, by SSO, in a container or on an instance. They are looked up at the first use, and again when they have expired.
 */
export function awsCredentials(environment: Environment, profile?: string): () => Promise<AwsCredentials> {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = environment;
  const sessionToken = environment.AWS_SESSION_TOKEN;
  if (hasOwnKeys(environment) && profile === undefined)
    return async () => ({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken && { sessionToken, ...expirationIn(environment) }),
    });
  let search: Promise<() => Promise<AwsCredentials>> | undefined;
  return async () => {
    search ??= searchFor(environment, profile);
    return await (await search)();
  };
}

/**
 * `aws configure export-credentials --format env` writes it beside the keys of a session. Keys of a user never expire: beside them the variable is
 * a leftover of an earlier sign-in. As for the SDK, a text that is not a time counts as absent.
 */
function expirationIn(environment: Environment): Pick<AwsCredentials, 'expiration'> {
  const expiration = new Date(environment['AWS_CREDENTIAL_EXPIRATION'] ?? '');
  return Number.isNaN(expiration.getTime()) ? {} : { expiration };
}

/**
 * Where the credentials come from if they are not the keys of the environment: the profile of the flag or of AWS_PROFILE, or the default one. The
 * SDK gives no credentials for a profile with a problem, or those of the instance.
 */
export async function profileReading(environment: Environment, profile?: string): Promise<ProfileReading> {
  const { parseKnownFiles } = await import('@smithy/core/config');
  const { readProfile } = await import('./aws-profile.ts');
  const name = profile ?? environment.AWS_PROFILE;
  const sections = await parseKnownFiles({ ...filesOf(environment), ignoreCache: true });
  return readProfile(sections, name || 'default', { isNamed: Boolean(name) });
}

/** The region of the profile that the AWS CLI would use; undefined if it has none. Both files count, as for the AWS CLI. */
export async function profileRegion(environment: Environment, profile?: string): Promise<string | undefined> {
  const { parseKnownFiles } = await import('@smithy/core/config');
  const sections = await parseKnownFiles({ ...filesOf(environment), ignoreCache: true });
  return sections[profile || environment.AWS_PROFILE || 'default']?.['region'];
}

const filesOf = ({
  AWS_SHARED_CREDENTIALS_FILE: filepath,
  AWS_CONFIG_FILE: configFilepath,
}: Environment) => ({
  ...(filepath && { filepath }),
  ...(configFilepath && { configFilepath }),
});

/** The search is large and most commands need none: it is loaded when it is used. It remembers what it found. */
async function searchFor(
  environment: Environment,
  profile: string | undefined,
): Promise<() => Promise<AwsCredentials>> {
  const source = await profileReading(environment, profile);
  if (source.kind === 'problem') throw new CliError(oneLine(source.reason), exitCodes.failed);
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  const provider = defaultProvider({ profile: source.names[0], ...filesOf(environment) });
  return async () => {
    try {
      return await provider();
    } catch (cause) {
      throw new CliError(oneLine(remedyFor(source, String(cause))), exitCodes.failed, cause);
    }
  };
}

/** What the operator has to do, by where the credentials would have come from. */
function remedyFor({ names, settings, origin }: ProfileSource, cause: string): string {
  const profile = `profile ${names[0]}`;
  if (cause.includes('multi-factor authentication'))
    return `${profile} asks for a code of MFA, which only the AWS CLI asks you for: eval "$(aws configure export-credentials --profile ${names[0]} --format env)"`;
  if (/AccessDenied|not authorized to perform/.test(cause))
    return `${profile} may not assume its role: the role must trust your identity, and that needs sts:AssumeRole`;
  if (/\bNo access\b|ForbiddenException/.test(cause))
    return `${profile}: your SSO user has no access to this account and role: check sso_account_id and sso_role_name`;
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|Timeout/.test(cause))
    return `AWS does not answer, which ${profile} needs: check the network and the region`;
  switch (origin.kind) {
    case 'sso':
      return `the sign-in of ${profile} has ended: aws sso login --profile ${names.at(-1)}`;
    case 'login':
      return `the sign-in of ${profile} has ended: aws login --profile ${names.at(-1)}`;
    case 'web-identity':
      return `${profile} gives no AWS credentials: check ${origin.tokenFile}, and that its role trusts the issuer`;
    case 'process':
      return `${profile} gives no AWS credentials: run its credential_process, ${settings.at(-1)?.['credential_process']}`;
    case 'none':
      return 'no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
    case 'keys':
    case 'environment':
    case 'machine':
      return `${profile} gives no AWS credentials: check them with aws sts get-caller-identity --profile ${names[0]}`;
  }
}

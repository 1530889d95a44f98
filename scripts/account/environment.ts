import { parseKnownFiles } from '@smithy/core/config';
import { readProfile } from '../../cli/aws-profile.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Why the environment may lead a run elsewhere than to AWS, whose answers would count as AWS's; undefined if it does not. The SDK takes
 * endpoints from variables and from the profile: https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export async function redirectIn(
  environment: Environment,
  profile: string | undefined,
): Promise<string | undefined> {
  const names = Object.keys(environment).filter(
    (name) => /^AWS_ENDPOINT_URL(?:_|$)/.test(name) && environment[name],
  );
  if (names.length > 0)
    return `${names.join(' and ')} would lead the run elsewhere than to AWS: unset it, or say --endpoint`;
  const sections = await parseKnownFiles({});
  const redirected = [profile, environment['AWS_PROFILE'] || 'default'].find((name) => {
    const { endpoint_url: url, services } = sections[name ?? ''] ?? {};
    return url !== undefined || services !== undefined;
  });
  if (redirected === undefined) return undefined;
  return `endpoint_url or services of profile ${redirected} would lead the run elsewhere than to AWS: remove it, or choose another profile`;
}

/** Why the profile cannot give credentials, such as a mistyped name; undefined if it can, or if none is named. The SDK does not name it. */
export async function profileProblemIn(
  environment: Environment,
  profile: string | undefined,
): Promise<string | undefined> {
  const name = profile ?? environment['AWS_PROFILE'];
  if (!name) return undefined;
  const reading = readProfile(await parseKnownFiles({}), name, { isNamed: true });
  return reading.kind === 'problem' ? reading.reason : undefined;
}

/**
 * When the keys of the environment expire, if they say so: nothing renews them. `aws configure export-credentials` writes the variable. The SDK
 * renews the credentials of a profile and of a machine by itself.
 */
export function expirationIn(environment: Environment, profile: string | undefined): Date | undefined {
  const { AWS_ACCESS_KEY_ID: key, AWS_SESSION_TOKEN: token, AWS_PROFILE: ownProfile } = environment;
  if (profile !== undefined || ownProfile || !key || !token) return undefined;
  const expiration = new Date(environment['AWS_CREDENTIAL_EXPIRATION'] ?? '');
  return Number.isNaN(expiration.getTime()) ? undefined : expiration;
}

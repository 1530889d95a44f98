import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { awsCredentials, hasOwnKeys, profileReading } from '../aws-credentials.ts';
import type { ProfileSource } from '../aws-profile.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { oneLine } from '../plain-text.ts';

type Environment = CliContext['environment'];

/** Who signs, as far as this machine knows it without a call to AWS. */
export interface SignIn {
  /** Of the profile, as the AWS CLI takes it too. */
  readonly region?: string | undefined;
  /**
   * Differs from that of any other sign-in, although AWS gives out new ones at each call: of a role, of SSO, of a web identity. Undefined if
   * the credentials themselves do, because looking them up costs no call.
   */
  readonly mark?: readonly unknown[] | undefined;
  /** How long the session is that the profile asks for, if it assumes a role. */
  readonly assumedSeconds?: number | undefined;
}

/** @throws CliError for a profile that cannot give credentials. */
export async function signInOf(profile: string | undefined, environment: Environment): Promise<SignIn> {
  const source = await profileReading(environment, profile);
  const usesOwnKeys = hasOwnKeys(environment) && profile === undefined;
  if (source.kind === 'problem') {
    if (usesOwnKeys) return {};
    throw new CliError(oneLine(source.reason), exitCodes.failed);
  }
  const [first = {}] = source.settings;
  const region = first['region'];
  if (usesOwnKeys) return { region };
  const mark = await markOf(source, environment);
  return {
    region,
    mark: mark === undefined ? undefined : [source.settings, mark],
    ...(first['role_arn'] &&
      source.names.length > 1 && { assumedSeconds: Number(first['duration_seconds'] ?? 3600) }),
  };
}

/** Of the source credentials. A file that cannot be read has none: the lookup of the credentials then says why. */
async function markOf(
  { names, origin }: ProfileSource,
  environment: Environment,
): Promise<string | undefined> {
  const assumesRole = names.length > 1;
  switch (origin.kind) {
    case 'sso': {
      const { getSSOTokenFilepath } = await import('@smithy/core/config');
      return await digestOfFile(getSSOTokenFilepath(origin.signInName));
    }
    case 'web-identity':
      return await digestOfFile(origin.tokenFile);
    case 'environment':
      return environment.AWS_ACCESS_KEY_ID;
    case 'keys':
      return assumesRole ? '' : undefined;
    case 'process':
    case 'login':
      return assumesRole ? (await awsCredentials(environment, names.at(-1))()).accessKeyId : undefined;
    case 'none': {
      const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: file } = environment;
      const digest = role && file ? await digestOfFile(file) : undefined;
      return digest && [role, environment['AWS_ROLE_SESSION_NAME'], digest].join(' ');
    }
    case 'machine':
      return undefined;
  }
}

async function digestOfFile(path: string): Promise<string | undefined> {
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch {
    return undefined;
  }
}

import { presignWithExpiry, stsHostOf } from '../../shared/aws/caller-identity.ts';
import type { AwsConnection, AwsCredentials } from '../../shared/aws/connection.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { stsHosts } from '../../shared/identity/sts-hosts.ts';
import { iamTokenMaker } from '../../shared/kubernetes/kubeconfig/connect.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { awsCredentials } from '../aws-credentials.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import { oneLine } from '../plain-text.ts';
import { assumedCredentials, type RoleFlags, roleOf, skewOf } from './assumed-role.ts';
import { apiVersionAsked, execCredential } from './exec-credential.ts';
import { type KeptToken, keepToken, keptToken, type TokenSubject } from './kept-token.ts';
import { signInOf } from './sign-in.ts';
import { makeWebIdentityToken, type WebIdentityFlags, webIdentityOf } from './web-identity.ts';

export interface GetFlags extends WebIdentityFlags, RoleFlags {
  readonly cluster: string;
  readonly region?: string;
  readonly profile?: string;
  readonly fips?: true;
  readonly cache: boolean;
  readonly raw?: true;
}

/** Prints an ExecCredential, or with `--raw` only the token. */
export async function getToken(flags: GetFlags, context: CliContext): Promise<void> {
  const apiVersion = apiVersionAsked(context);
  const made = await tokenFor(flags, context);
  context.stdout.write(flags.raw ? `${made.token}\n` : execCredential(apiVersion, made));
}

async function tokenFor(flags: GetFlags, context: CliContext): Promise<KeptToken> {
  const { environment } = context;
  if (flags.cluster === '') throw new CliError('--cluster, or DROVER_CLUSTER, is empty', exitCodes.usage);
  const role = roleOf(flags);
  const webIdentity = webIdentityOf(flags);
  const signIn = await signInOf(flags.profile, environment);
  const region = [flags.region, environment.AWS_REGION, environment.AWS_DEFAULT_REGION, signIn.region].find(
    Boolean,
  );
  if (region === undefined)
    throw new CliError('give --region, or set AWS_REGION, or the region of the AWS profile', exitCodes.usage);
  const signer = signIn.mark === undefined ? await signerOf(flags, context) : undefined;
  const subject = {
    clusterId: flags.cluster,
    region,
    fips: flags.fips === true,
    profile: flags.profile ?? environment.AWS_PROFILE ?? '',
    signIn: signIn.mark ?? signer?.accessKeyId,
    role,
    sources: credentialSources.map((name) => environment[name] ?? ''),
    ...(webIdentity && { webIdentity }),
  };
  const kept = flags.cache ? await keptToken(subject, context) : undefined;
  if (kept)
    return webIdentity || role || !signer
      ? kept
      : { ...kept, expiresAt: Math.min(kept.expiresAt, endOf(signer)) };
  const made = await makeToken(subject, {
    signer: signer ?? (await signerOf(flags, context)),
    assumedSeconds: signIn.assumedSeconds,
    context,
  });
  if (flags.cache) await keepToken(subject, made, context);
  return made;
}

interface TokenParts {
  readonly signer: AwsCredentials;
  /** How long they are valid from now on, if that is known. */
  readonly assumedSeconds: number | undefined;
  readonly context: CliContext;
}

async function makeToken(
  subject: TokenSubject,
  { signer, assumedSeconds, context }: TokenParts,
): Promise<KeptToken> {
  const { region, fips, role, webIdentity } = subject;
  const connectionOf = (keys: AwsCredentials): AwsConnection => {
    const environment = {
      ...environmentOf({ region }, context),
      ...(fips && { AWS_USE_FIPS_ENDPOINT: 'true' }),
    };
    return { ...awsConnection(hostOf(context, environment)), credentials: () => keys };
  };
  const keys = role ? await assumedCredentials(connectionOf(signer), role) : signer;
  const seconds = role?.durationSeconds ?? assumedSeconds;
  const skew = seconds === undefined ? undefined : skewOf(keys, { seconds, now: context.clock.now() });
  if (skew !== undefined) context.stderr.write(`warning: ${skew}\n`);
  if (webIdentity) return await makeWebIdentityToken(connectionOf(keys), webIdentity);
  return await makePresigned({ ...subject, credentials: async () => keys }, context);
}

/** @throws CliError for credentials that have expired, because STS refuses whatever they sign. */
async function signerOf({ profile }: GetFlags, { environment, clock }: CliContext): Promise<AwsCredentials> {
  const signer = await awsCredentials(environment, profile)();
  const end = endOf(signer);
  if (end > clock.now()) return signer;
  throw new CliError(`the AWS credentials expired at ${isoSeconds(end)}: sign in again`, exitCodes.failed);
}

const endOf = ({ expiration }: AwsCredentials): number => expiration?.getTime() ?? Number.POSITIVE_INFINITY;

/** The variables by which the SDK finds credentials if the environment has no keys. */
const credentialSources = [
  'AWS_CONFIG_FILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_ROLE_ARN',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
];

async function makePresigned(
  {
    clusterId,
    region,
    fips,
    credentials,
  }: TokenSubject & { readonly credentials: () => Promise<AwsCredentials> },
  { clock, stderr }: CliContext,
): Promise<KeptToken> {
  if (!stsHosts.has(stsHostOf(region, { fips }))) {
    if (fips)
      throw new CliError(
        `AWS STS has no FIPS endpoint in ${oneLine(region)}: leave out --fips`,
        exitCodes.usage,
      );
    stderr.write(
      `warning: ${oneLine(region)} is not a region whose STS endpoint Drover knows: the token webhook will reject this token\n`,
    );
  }
  const make = iamTokenMaker({
    clock,
    presign: async () => await presignWithExpiry({ credentials, clock, region }, { clusterId, fips }),
  });
  const { token = '', expiresAt = clock.now() } = await make({ clusterId, region });
  return { token, expiresAt };
}

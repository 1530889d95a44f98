import { presignCallerIdentity } from '../../shared/aws/caller-identity.ts';
import { iamTokenMaker } from '../../shared/kubernetes/iam-token.ts';
import { awsCredentials } from '../aws-credentials.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { apiVersionAsked, execCredential } from './exec-credential.ts';
import { type KeptToken, keepToken, keptToken, type TokenSubject } from './kept-token.ts';
import { makeWebIdentityToken, type WebIdentityFlags, webIdentityOf } from './web-identity.ts';

export interface GetFlags extends WebIdentityFlags {
  readonly cluster: string;
  readonly region?: string;
  readonly profile?: string;
  readonly fips?: true;
  readonly cache: boolean;
  readonly raw?: true;
}

/** Prints an ExecCredential, or with `--raw` the token alone. */
export async function getToken(flags: GetFlags, context: CliContext): Promise<void> {
  const apiVersion = apiVersionAsked(context);
  const made = await tokenFor(flags, context);
  context.stdout.write(flags.raw ? `${made.token}\n` : execCredential(apiVersion, made));
}

async function tokenFor(flags: GetFlags, context: CliContext): Promise<KeptToken> {
  const { environment } = context;
  const region = flags.region ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  if (region === undefined) throw new CliError('give --region, or set AWS_REGION', exitCodes.usage);
  const webIdentity = webIdentityOf(flags);
  const subject = {
    clusterId: flags.cluster,
    region,
    fips: flags.fips === true,
    profile: flags.profile ?? environment.AWS_PROFILE ?? '',
    accessKeyId: flags.profile === undefined ? (environment.AWS_ACCESS_KEY_ID ?? '') : '',
    ...(webIdentity && { webIdentity }),
  };
  const kept = flags.cache ? await keptToken(subject, context) : undefined;
  if (kept) return kept;
  const credentials = awsCredentials(environment, flags.profile);
  const made = webIdentity
    ? await makeWebIdentityToken({ ...subject, webIdentity, credentials }, context)
    : await makePresigned({ ...subject, credentials }, context);
  if (flags.cache) await keepToken(subject, made, context);
  return made;
}

async function makePresigned(
  {
    clusterId,
    region,
    fips,
    credentials,
  }: TokenSubject & { readonly credentials: ReturnType<typeof awsCredentials> },
  { clock }: CliContext,
): Promise<KeptToken> {
  const make = iamTokenMaker({
    clock,
    presignCallerIdentity: async () =>
      await presignCallerIdentity({ credentials, clock, region }, { clusterId, fips }),
  });
  const { token = '', expiresAt = clock.now() } = await make({ clusterId, region });
  return { token, expiresAt };
}

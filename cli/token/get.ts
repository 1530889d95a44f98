import * as z from 'zod/mini';
import { presignCallerIdentity } from '../../shared/aws/caller-identity.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { parseJson } from '../../shared/base/parse-json.ts';
import { iamTokenMaker } from '../../shared/kubernetes/iam-token.ts';
import { awsCredentials } from '../aws-credentials.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { type KeptToken, keepToken, keptToken } from './kept-token.ts';

export interface GetFlags {
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
  const { token, expiresAt } = await tokenFor(flags, context);
  context.stdout.write(
    flags.raw
      ? `${token}\n`
      : jsonText({
          apiVersion,
          kind: 'ExecCredential',
          status: { token, expirationTimestamp: isoSeconds(expiresAt) },
        }),
  );
}

async function tokenFor(flags: GetFlags, context: CliContext): Promise<KeptToken> {
  const { environment, clock } = context;
  const region = flags.region ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  if (region === undefined) throw new CliError('give --region, or set AWS_REGION', exitCodes.usage);
  const subject = {
    clusterId: flags.cluster,
    region,
    fips: flags.fips === true,
    profile: flags.profile ?? environment.AWS_PROFILE ?? '',
    accessKeyId: flags.profile === undefined ? (environment.AWS_ACCESS_KEY_ID ?? '') : '',
  };
  const kept = flags.cache ? await keptToken(subject, context) : undefined;
  if (kept) return kept;
  const credentials = awsCredentials(environment, flags.profile);
  const make = iamTokenMaker({
    clock,
    presignCallerIdentity: async () =>
      await presignCallerIdentity(
        { credentials, clock, region },
        { clusterId: flags.cluster, fips: subject.fips },
      ),
  });
  const { token = '', expiresAt = clock.now() } = await make({ clusterId: flags.cluster, region });
  if (flags.cache) await keepToken(subject, { token, expiresAt }, context);
  return { token, expiresAt };
}

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const;
const infoSchema = z.object({ apiVersion: z.enum(versions) });

/** @throws CliError where the kubeconfig asks for a version that is neither v1 nor v1beta1. */
function apiVersionAsked({ environment }: CliContext): (typeof versions)[number] {
  const info = environment['KUBERNETES_EXEC_INFO'];
  if (info === undefined || info === '') return versions[0];
  const parsed = z.safeParse(infoSchema, parseJson(info));
  if (parsed.success) return parsed.data.apiVersion;
  throw new CliError(`the kubeconfig must ask for the apiVersion ${versions.join(' or ')}`, exitCodes.usage);
}

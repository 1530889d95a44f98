import * as z from 'zod/mini';
import type { AwsConnection } from '../../shared/aws/connection.ts';
import type { WebIdentityRequest } from '../../shared/aws/web-identity.ts';
import { lazily } from '../../shared/base/lazily.ts';
import { parseJson } from '../../shared/base/parse-json.ts';
import { audienceOf } from '../../shared/identity/web-identity/trust.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import type { KeptToken } from './kept-token.ts';

export interface WebIdentityFlags {
  readonly cluster: string;
  readonly webIdentity?: true;
  readonly audience?: string;
  /** In seconds. */
  readonly duration: number;
  readonly algorithm: WebIdentityRequest['signingAlgorithm'];
}

/** Undefined without `--web-identity`. @throws CliError for an audience that no presigned request has. */
export function webIdentityOf(flags: WebIdentityFlags): WebIdentityRequest | undefined {
  const { cluster, webIdentity, audience, duration, algorithm } = flags;
  if (webIdentity)
    return {
      audience: audience ?? audienceOf(cluster),
      durationSeconds: duration,
      signingAlgorithm: algorithm,
    };
  if (audience !== undefined) throw new CliError('--audience is for --web-identity', exitCodes.usage);
  return undefined;
}

/** @throws CliError with the remedy where STS gives out no token. */
export async function makeWebIdentityToken(
  connection: AwsConnection,
  webIdentity: WebIdentityRequest,
): Promise<KeptToken> {
  // Loaded only for web identity tokens.
  const { getWebIdentityToken } = await import('../../shared/aws/web-identity.ts');
  const token = await getWebIdentityToken(connection, webIdentity).catch((cause: unknown) => {
    const remedy = cause instanceof Error ? remedies[cause.name]?.(webIdentity.audience) : undefined;
    throw remedy === undefined ? cause : new CliError(remedy, exitCodes.failed, cause);
  });
  const expiresAt = token === undefined ? undefined : expiryOf(token);
  if (token === undefined || expiresAt === undefined)
    throw new CliError(
      'the response of STS is not a JWT: is the endpoint an STS endpoint?',
      exitCodes.failed,
    );
  return { token, expiresAt };
}

/** By the errors of STS. */
const remedies: Readonly<Record<string, (audience: string) => string>> = {
  OutboundWebIdentityFederationDisabledException: () =>
    'the account gives out no web identity tokens: aws iam enable-outbound-web-identity-federation',
  SessionDurationEscalationException: () =>
    'the AWS credentials end before the token would: give a shorter --duration, or log in again',
  AccessDenied: (audience) =>
    `your identity needs sts:GetWebIdentityToken, for the audience ${audience} and this --duration`,
};

const claimsSchema = lazily(() => z.object({ exp: z.number() }));

/** When a JWT expires by its own claim, in epoch milliseconds; undefined if the text is not a JWT. The signature is not checked. */
export function expiryOf(token: string): number | undefined {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token)?.[1];
  if (payload === undefined) return undefined;
  const claims = z.safeParse(claimsSchema(), parseJson(Buffer.from(payload, 'base64url').toString()));
  return claims.success ? claims.data.exp * 1000 : undefined;
}

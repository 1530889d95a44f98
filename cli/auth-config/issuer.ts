import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';

export interface IssuerFlags {
  readonly issuer?: string;
  readonly region?: string;
}

/** The issuer of the flag, or that of this machine's AWS account. */
export async function issuerOf(
  flags: IssuerFlags,
  context: CliContext,
): Promise<{ readonly url: string; readonly accountId?: string }> {
  if (flags.issuer !== undefined) return { url: checked(flags.issuer) };
  const { ownIssuer } = await import('../../shared/aws/web-identity.ts');
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  return await ownIssuer(connection).catch((cause: unknown) => {
    if (!(cause instanceof Error) || cause.name !== 'FeatureDisabledException') throw cause;
    throw new CliError(
      'the account gives out no web identity tokens: aws iam enable-outbound-web-identity-federation',
      exitCodes.failed,
      cause,
    );
  });
}

/** The API server compares it with the claim `iss`, letter by letter. @throws CliError for what can be none. */
function checked(issuer: string): string {
  const url = URL.parse(issuer);
  if (url?.protocol === 'https:' && url.origin === issuer) return issuer;
  throw new CliError(
    'give --issuer as IAM says it: https://ID.tokens.sts.global.api.aws, without a slash at its end',
    exitCodes.usage,
  );
}

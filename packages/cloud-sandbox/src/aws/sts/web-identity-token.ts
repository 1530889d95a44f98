import type { GetWebIdentityTokenCommandInput } from '@aws-sdk/client-sts';
import type { Clock } from '../../simulation/clock.ts';
import type { Random } from '../../simulation/random.ts';
import type { SimulatedIam } from '../iam/iam.ts';
import { AwsError, type Principal } from '../service.ts';
import type { SigningAlgorithm } from './token-issuer.ts';

export interface WebIdentityParts {
  readonly iam: SimulatedIam;
  readonly clock: Clock;
  readonly random: Random;
  readonly region: string;
}

const defaultSeconds = 300;
const [leastSeconds, mostSeconds] = [60, 3600];
const mostAudiences = 10;
const longestAudience = 1000;

/** GetWebIdentityToken: a JWT of the account's issuer, which names the IAM principal and the instance whose credentials asked (STS API reference; IAM user guide, "Understanding token claims"). */
export function getWebIdentityToken(
  { iam, clock, random, region }: WebIdentityParts,
  input: GetWebIdentityTokenCommandInput,
  principal: Principal,
) {
  const { Audience: audiences = [], DurationSeconds: seconds = defaultSeconds, Tags: tags = [] } = input;
  checkRequest(input);
  const issuedAt = Math.floor(clock.now() / 1000);
  if (!iam.tokenIssuer.isEnabled())
    throw refusal(
      'OutboundWebIdentityFederationDisabledException',
      'Outbound web identity federation is not enabled for this account.',
    );
  const session = iam.sessionOf(principal);
  if (session !== undefined && (issuedAt + seconds) * 1000 > session.expiresAtMilliseconds)
    throw refusal(
      'SessionDurationEscalationException',
      'The requested token duration would extend the session beyond its original expiration time.',
    );
  const arn = iam.roleArnOf(principal) ?? principal.arn;
  const claims = {
    aud: audiences.length === 1 ? audiences[0] : audiences,
    sub: arn,
    'https://sts.amazonaws.com/': {
      ...session?.claims,
      aws_account: principal.accountId,
      source_region: region,
      principal_id: arn,
      ...(session && { original_session_exp: new Date(session.expiresAtMilliseconds).toISOString() }),
      ...(tags.length > 0 && {
        request_tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
      }),
    },
    iss: iam.tokenIssuer.url(),
    exp: issuedAt + seconds,
    iat: issuedAt,
    jti: random.uuid(),
  };
  return {
    WebIdentityToken: iam.tokenIssuer.sign(claims, input.SigningAlgorithm as SigningAlgorithm),
    Expiration: new Date((issuedAt + seconds) * 1000),
  };
}

const refusal = (code: string, message: string): AwsError => new AwsError({ code, message, statusCode: 403 });

function checkRequest({
  Audience: audiences = [],
  DurationSeconds: seconds,
  SigningAlgorithm: algorithm = '',
}: GetWebIdentityTokenCommandInput): void {
  if (audiences.length < 1 || audiences.length > mostAudiences)
    throw invalid(
      'audience',
      `Member must have length less than or equal to ${mostAudiences}, and greater than or equal to 1`,
    );
  if (audiences.some((one) => one.length < 1 || one.length > longestAudience))
    throw invalid(
      'audience',
      `Member must satisfy constraint: [Member must have length less than or equal to ${longestAudience}, Member must have length greater than or equal to 1]`,
    );
  if (seconds !== undefined && seconds < leastSeconds)
    throw invalid('durationSeconds', `Member must have value greater than or equal to ${leastSeconds}`);
  if (seconds !== undefined && seconds > mostSeconds)
    throw invalid('durationSeconds', `Member must have value less than or equal to ${mostSeconds}`);
  if (algorithm !== 'RS256' && algorithm !== 'ES384')
    throw invalid('signingAlgorithm', 'Member must satisfy enum value set: [RS256, ES384]');
}

const invalid = (place: string, constraint: string): AwsError =>
  new AwsError({
    code: 'ValidationError',
    message: `1 validation error detected: Value at '${place}' failed to satisfy constraint: ${constraint}`,
  });

import type { Clock } from '../../simulation/clock.ts';
import type { FrontErrorCodes } from '../codec/protocol.ts';
import { AwsError } from '../service.ts';
import type { SignatureClaim } from './credential.ts';
import { timestampMilliseconds } from './verify.ts';

/** Which clocks judge. */
export interface JudgingClocks {
  /** Of presigned requests. */
  readonly clock: Clock;
  /** Of the age of a header's signature; absent where callers sign on another clock than ours (virtual time). */
  readonly signingClock?: Clock | undefined;
}

const minute = 60_000;
const usualMinutes = 5;
const maximumExpiresSeconds = 7 * 24 * 3600;

/** The refusal of a signature that is good but of another time; undefined if it is of now. */
export function lateness(
  claim: SignatureClaim,
  codes: FrontErrorCodes,
  { clock, signingClock }: JudgingClocks,
): AwsError | undefined {
  if (claim.expiresSeconds !== undefined)
    return presignedLateness(claim, claim.expiresSeconds, { codes, now: clock.now() });
  if (signingClock === undefined) return undefined;
  const { late } = codes;
  const words = skewed(claim.timestamp, signingClock.now(), late?.minutes ?? usualMinutes);
  if (words === undefined) return undefined;
  return new AwsError({
    code: late?.code ?? codes.invalidSignature,
    message: late?.message ?? words,
    statusCode: late?.statusCode ?? codes.authenticationStatus,
  });
}

/** STS takes a presigned request for 15 minutes whatever its X-Amz-Expires (aws-iam-authenticator, pkg/token, "IT IS IGNORED"). */
const stsSeconds = 900;

/** As AWS words it: it names its own time, so that people see whose clock is wrong. */
function skewed(timestamp: string, now: number, minutes: number): string | undefined {
  const age = now - timestampMilliseconds(timestamp);
  if (Math.abs(age) <= minutes * minute) return undefined;
  const [present, limit] = [now, now - Math.sign(age) * minutes * minute].map(compact);
  return age > 0
    ? `Signature expired: ${timestamp} is now earlier than ${limit} (${present} - ${minutes} min.)`
    : `Signature not yet current: ${timestamp} is still later than ${limit} (${present} + ${minutes} min.)`;
}

/** `20260105T080000Z`. */
const compact = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

function presignedLateness(
  { timestamp, service }: SignatureClaim,
  expiresSeconds: number,
  { codes, now }: { readonly codes: FrontErrorCodes; readonly now: number },
): AwsError | undefined {
  const { code = codes.invalidSignature, message } = codes.late?.presigned ?? {};
  const refuse = (words: string): AwsError =>
    new AwsError({ code, message: message ?? words, statusCode: codes.authenticationStatus });
  const signedAt = timestampMilliseconds(timestamp);
  if (!(expiresSeconds >= 1 && expiresSeconds <= maximumExpiresSeconds))
    return refuse('X-Amz-Expires must be between 1 and 604800');
  const seconds = service === 'sts' ? stsSeconds : expiresSeconds;
  if (now > signedAt + seconds * 1000)
    return refuse(
      `Signature expired: ${timestamp} is now earlier than ${compact(now - seconds * 1000)} (${compact(now)} - ${seconds} s)`,
    );
  if (now < signedAt - usualMinutes * minute) return refuse(skewed(timestamp, now, usualMinutes) ?? '');
  return undefined;
}

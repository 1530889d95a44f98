import type { Clock } from '../../../shared/lifecycle/clock.ts';
import type { AwsHttpRequest } from '../codec/http.ts';
import type { FrontErrorCodes } from '../codec/protocol.ts';
import { AwsError, type Principal } from '../service.ts';
import type { SignatureClaim } from './credential.ts';
import { type SignatureVerifier, timestampMilliseconds } from './verify.ts';

/** What stands behind an access key id. */
export interface Identity {
  readonly secretAccessKey: string;
  /** Temporary credentials are only good together with their token. */
  readonly sessionToken?: string | undefined;
  readonly expiresAtMilliseconds?: number | undefined;
  readonly principal: Principal;
}

export type FindIdentity = (accessKeyId: string) => Identity | undefined;

export interface AuthenticationOptions {
  readonly findIdentity: FindIdentity;
  readonly verifier: SignatureVerifier;
  /** Judges expiries of session credentials and presigned requests. */
  readonly clock: Clock;
  /** Judges the age of a header's signature; absent where callers sign on another clock than ours (virtual time). */
  readonly signingClock?: Clock | undefined;
}

const maximumSkewMilliseconds = 5 * 60_000;
const maximumExpiresSeconds = 7 * 24 * 3600;

/** Whose request this is. Throws the error that AWS answers to a key, token, signature or time that is not good. */
export function authenticate(
  request: AwsHttpRequest,
  { claim, codes }: { readonly claim: SignatureClaim; readonly codes: FrontErrorCodes },
  options: AuthenticationOptions,
): Principal {
  const refuse = (code: string, message: string): AwsError =>
    new AwsError({ code, message, statusCode: codes.authenticationStatus });
  const identity = options.findIdentity(claim.accessKeyId);
  if (identity === undefined || identity.sessionToken !== claim.sessionToken) {
    throw refuse(codes.invalidToken, invalidTokenMessage(codes));
  }
  if ((identity.expiresAtMilliseconds ?? Number.POSITIVE_INFINITY) <= options.clock.now()) {
    throw refuse(codes.expiredToken, 'The security token included in the request is expired');
  }
  if (!options.verifier.matches(request, claim, identity.secretAccessKey)) {
    throw refuse(codes.invalidSignature, mismatchMessage);
  }
  const late = lateness(claim, options);
  if (late !== undefined) throw refuse(codes.invalidSignature, late);
  return identity.principal;
}

const invalidTokenMessage = (codes: FrontErrorCodes): string =>
  codes.invalidToken === 'AuthFailure'
    ? 'AWS was not able to validate the provided access credentials'
    : 'The security token included in the request is invalid.';

const mismatchMessage =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';

function lateness(claim: SignatureClaim, options: AuthenticationOptions): string | undefined {
  const signedAt = timestampMilliseconds(claim.timestamp);
  if (claim.expiresSeconds !== undefined) return presignedLateness(claim, signedAt, options.clock.now());
  if (options.signingClock === undefined) return undefined;
  const age = options.signingClock.now() - signedAt;
  if (Math.abs(age) <= maximumSkewMilliseconds) return undefined;
  return age > 0
    ? `Signature expired: ${claim.timestamp} is too old`
    : `Signature not yet current: ${claim.timestamp} is in the future`;
}

function presignedLateness(claim: SignatureClaim, signedAt: number, now: number): string | undefined {
  const seconds = claim.expiresSeconds ?? Number.NaN;
  if (!(seconds >= 1 && seconds <= maximumExpiresSeconds))
    return 'X-Amz-Expires must be between 1 and 604800';
  if (now > signedAt + seconds * 1000)
    return `Signature expired: ${claim.timestamp} with ${seconds} s to live`;
  if (now < signedAt - maximumSkewMilliseconds) return `Signature not yet current: ${claim.timestamp}`;
  return undefined;
}

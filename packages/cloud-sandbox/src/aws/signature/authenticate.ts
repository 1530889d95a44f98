import type { AwsHttpRequest } from '../codec/http.ts';
import type { FrontErrorCodes } from '../codec/protocol.ts';
import { AwsError, type Principal } from '../service.ts';
import type { SignatureClaim } from './credential.ts';
import { type JudgingClocks, lateness } from './lateness.ts';
import type { SignatureVerifier } from './verify.ts';

/** The identity of an access key id. */
export interface Identity {
  readonly secretAccessKey: string;
  /** Temporary credentials are only good together with their token. */
  readonly sessionToken?: string | undefined;
  readonly expiresAtMilliseconds?: number | undefined;
  readonly principal: Principal;
}

export type FindIdentity = (accessKeyId: string) => Identity | undefined;

/** Its clock also judges expiries of session credentials. */
export interface AuthenticationOptions extends JudgingClocks {
  readonly findIdentity: FindIdentity;
  readonly verifier: SignatureVerifier;
}

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
  const late = lateness(claim, codes, options);
  if (late !== undefined) throw late;
  return identity.principal;
}

const invalidTokenMessage = (codes: FrontErrorCodes): string =>
  codes.invalidToken === 'AuthFailure'
    ? 'AWS was not able to validate the provided access credentials'
    : 'The security token included in the request is invalid.';

const mismatchMessage =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';

/** What services of AWS call credentials that they do not accept (the common errors of their API references). */
const names: ReadonlySet<string> = new Set([
  'AuthFailure',
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
]);

/** Whether a service of AWS refuses the credentials themselves, and not what they may do. */
export const isCredentialError = ({ name }: Error): boolean => names.has(name);

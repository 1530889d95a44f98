import type { CertificateRequest } from '../certificate-request.ts';
import { type CheckAnswer, deny } from '../verdict.ts';

const daySeconds = 86_400;
/** A year and a day: the signer's own limit is a year by default, and a certificate cannot be revoked. */
const longestLifetimeSeconds = 366 * daySeconds;

/** An absent lifetime passes: the signer then takes its own. */
export function lifetimeCheck({
  expirationSeconds,
}: Pick<CertificateRequest, 'expirationSeconds'>): CheckAnswer {
  if (expirationSeconds === undefined || expirationSeconds <= longestLifetimeSeconds) return undefined;
  return deny(
    `it asks for ${Math.round(expirationSeconds / daySeconds)} days, more than ${longestLifetimeSeconds / daySeconds}`,
  );
}

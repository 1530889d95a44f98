import { X509Certificate } from 'node:crypto';

/** Milliseconds since the epoch. */
export interface CertificateTimes {
  readonly notBefore: number;
  readonly notAfter: number;
}

export function certificateTimes(pem: string): CertificateTimes {
  const { validFrom, validTo } = new X509Certificate(pem);
  return { notBefore: Date.parse(validFrom), notAfter: Date.parse(validTo) };
}

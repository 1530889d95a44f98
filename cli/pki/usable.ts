import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Credential } from './issue.ts';

/** Why an authority cannot sign now; undefined if it can. Reveals nothing about the content of the files. */
export function whyUnusable({ certificate, key }: Credential, now: number): string | undefined {
  const read = readBoth(certificate, key);
  if (typeof read === 'string') return read;
  if (!read.certificate.ca) return 'its certificate is not that of an authority';
  if (!read.certificate.checkPrivateKey(read.key)) return 'its key is not that of its certificate';
  if (Date.parse(read.certificate.validTo) <= now)
    return `it expired on ${new Date(read.certificate.validTo).toISOString()}: make new authorities in another folder`;
  return undefined;
}

function readBoth(certificate: string, key: string) {
  try {
    return { certificate: new X509Certificate(certificate), key: createPrivateKey(key) };
  } catch {
    // What the parsers say could quote a key.
    return 'its files are not a certificate and a private key in PEM';
  }
}

import type { X509Certificate } from 'node:crypto';

/** `0:0:0:0:0:0:0:1`, as OpenSSL writes addresses, in the short form that people write. */
const shortAddress = (address: string): string =>
  address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;

/** The host names and addresses that a certificate is made out for. */
export const namesOf = ({ subjectAltName }: Pick<X509Certificate, 'subjectAltName'>): readonly string[] =>
  [...(subjectAltName ?? '').matchAll(/(DNS|IP Address|URI|email):([^,]+)/g)].map(([, kind, value = '']) =>
    kind === 'IP Address' ? shortAddress(value.trim()) : value.trim(),
  );

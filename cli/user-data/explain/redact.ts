import { X509Certificate } from 'node:crypto';

const longestShown = 160;
// Without a space: it must not look like a secret to the next pattern.
const hidden = '[hidden]';

const secrets: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, 'a private key'],
  // JSON Web Tokens: those of ServiceAccounts, and of OpenID Connect.
  [/(?<![\w-])eyJ[\w-]{10,}\.[\w-]+(?:\.[\w-]*)?/g, 'a token'],
  // "Token Format" of bootstrap tokens, kubernetes.io.
  [/(?<![\w.-])[a-z0-9]{6}\.[a-z0-9]{16}(?![\w.-])/g, 'a bootstrap token'],
  [/(?<=:\/\/)[^/\s:@]*:[^/\s@]+(?=@)/g, 'a password in a URL'],
  [/(?<=[?&](?:X-Amz-Signature|X-Amz-Security-Token|Signature|sig|token)=)[^&\s"']+/gi, 'a signed URL'],
  [
    /(?<=(?:password|passwd|passphrase|secret|secret[_-]?access[_-]?key|session[_-]?token|certificate[_-]key|token|api[_-]?key|auth)["']?\s{0,9}[=:]\s{0,9}["']?)[^\s"',}[]{6,}/gi,
    'a password or a key',
  ],
  [
    /(?<=--(?:password|token|tls-bootstrap-token|discovery-token|certificate-key|secret)[= ]["']?)[^\s"']+/g,
    'a password or a key',
  ],
  [/(?<=Authorization: {0,9}(?:Basic|Bearer) {1,9})[\w.~+/=-]+/gi, 'a password or a key'],
];

/** The kinds of secrets that a text seems to hold, each secret as one kind. A reference to a variable or a parameter is none. Pure. */
export function secretsIn(text: string): readonly string[] {
  const kinds = new Set<string>();
  let rest = text;
  for (const [pattern, kind] of secrets)
    rest = rest.replaceAll(pattern, (found) => {
      if (isReference(found)) return found;
      kinds.add(kind);
      return hidden;
    });
  return [...kinds];
}

const isReference = (text: string): boolean => /^["']?[$%{<]/.test(text) || text.startsWith(hidden);

/** The text without what looks like a secret; certificates and long base64 become words about them. Pure. */
export function redacted(text: string): string {
  const without = secrets.reduce(
    (rest, [pattern]) => rest.replaceAll(pattern, (found) => (isReference(found) ? found : hidden)),
    text,
  );
  const short = without.replaceAll(/[A-Za-z0-9+/]{64,}={0,2}/g, aboutBase64);
  return short.length <= longestShown
    ? short
    : `${short.slice(0, longestShown)}… (${short.length} characters)`;
}

function aboutBase64(encoded: string): string {
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('latin1');
  if (!text.startsWith('-----BEGIN CERTIFICATE-----')) return `(${encoded.length} characters of base64)`;
  const certificate = certificateOf(text);
  if (certificate === undefined) return '(a certificate that cannot be read)';
  return `(certificate of ${certificate.subject.replaceAll('\n', ', ')}, valid until ${certificate.validToDate.toISOString().slice(0, 10)})`;
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    // OpenSSL's reason names its own functions; the sentence says that it cannot be read.
    return undefined;
  }
}

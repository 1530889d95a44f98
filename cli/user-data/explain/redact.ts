import { X509Certificate } from 'node:crypto';

const longestShown = 160;
// Without a space: it must not look like a secret to the next pattern.
const hidden = '[hidden]';

/** Words before a value that make it a secret, as the name of a variable, a field or a parameter ends. */
const secretNames =
  'pass(?:word|wd|phrase|code)?|pwd|pw|secret|credentials?|certificate[_-]key|private[_-]?key|access[_-]?key(?:[_-]?id)?|token|(?:api|auth|activation|licen[cs]e|validation)[_-]?key|auth';

/** Within one command, which may continue on the next line. */
const words = '(?:[^\\n;|&]|\\\\\\n){0,99}';
const programs = 'docker|podman|nerdctl|buildah|skopeo|helm|oras|az|registry';

/** Each bounded in length, so that no text takes long. */
const secrets: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    'a private key',
  ],
  [/AGE-SECRET-KEY-1[A-Z0-9]+/g, 'a private key'],
  // JSON Web Tokens: those of ServiceAccounts, and of OpenID Connect.
  [/(?<![\w-])eyJ[\w-]{10,}\.[\w-]+(?:\.[\w-]*)?/g, 'a token'],
  // "Token Format" of bootstrap tokens, kubernetes.io.
  [/(?<![\w.-])[a-z0-9]{6}\.[a-z0-9]{16}(?![\w.-])/g, 'a bootstrap token'],
  // By their beginnings, which secret scanners know: GitHub, GitLab, Slack, npm, Docker Hub, Vault, Google, Stripe.
  [
    /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|xapp-|npm_|dckr_pat_|hv[sb]\.|AIza|sk[-_]live[-_]|sk-)[\w-]{16,}/g,
    'a token of another service',
  ],
  [/(?<![A-Za-z0-9])A(?:KI|SI)A[A-Z0-9]{16}(?![A-Za-z0-9])/g, 'a key of AWS'],
  // The secret of an access key: 40 letters of base64.
  [
    /(?<![\w+/.-])(?=[a-z\d+/]{0,39}[A-Z])(?=[A-Z\d+/]{0,39}[a-z])(?=[A-Za-z+/]{0,39}\d)[A-Za-z\d+/]{40}(?![\w+/=.-])/g,
    'a key of AWS',
  ],
  [/\$(?:1|2[aby]|5|6|y|gy)\$[\w./$=,]{8,}/g, 'the hash of a password'],
  [/(?<=:\/\/)[^/\s:@"']*:[^/\s@"']+(?=@)/g, 'a password in a URL'],
  [/(?<=:\/\/)[^/\s:@"'[]{12,}(?=@)/g, 'a password in a URL'],
  // A proxy without its scheme. An image with a tag and a digest is none.
  [/(?<=(?<![\w./@-])[\w.-]{1,64}:)[^\s/@:"'[]{6,}(?=@(?!sha\d)[\w.-])/g, 'a password in a URL'],
  [
    /(?<=[?&][\w-]{0,30}(?:signature|sig|token|key|keyid|secret|password|credential)=)[^&\s"'#]+/gi,
    'a signed URL',
  ],
  [
    new RegExp(
      `(?<=(?:${secretNames})(?:_\\w{1,30})?["']?\\s{0,9}[=:]\\s{0,9}["']?)[^\\s"',}[\\]]{6,}`,
      'gi',
    ),
    'a password or a key',
  ],
  [
    /(?<=--(?:password|token|tls-bootstrap-token|discovery-token|certificate-key|secret)[= ]["']?)[^\s"']+/g,
    'a password or a key',
  ],
  [/(?<=Authorization["']?: {0,9}["']?(?:Basic|Bearer|token) {1,9})[\w.~+/=-]+/gi, 'a password or a key'],
  [
    /(?<=Authorization["']?: {0,9}["']?(?:[\w-]{3,20} {1,9})?)[\w.~+/=-]{6,}(?![\w.~+/=-]| {1,9}[\w.~+/=-])/gi,
    'a password or a key',
  ],
  // Flags and operands whose names do not say it.
  [
    new RegExp(`(?<=\\b(?:${programs})[^\\n;|&]{0,20}\\blogin\\b${words}\\s-p[= ]?["']?)[^\\s"']+`, 'g'),
    'a password or a key',
  ],
  [
    new RegExp(`(?<=\\b(?:mysql|mysqladmin|mysqldump|mariadb)\\b${words}\\s-p["']?)[^\\s"']+`, 'g'),
    'a password or a key',
  ],
  [new RegExp(`(?<=\\b(?:useradd|usermod)\\b${words}\\s-p {0,3}["']?)[^\\s"']+`, 'g'), 'a password or a key'],
  [
    new RegExp(
      `(?<=\\becho {1,9}(?:-\\w{1,3} {1,9})?["']?)[^\\s"'|]+(?=["']? {0,9}\\| {0,9}(?:sudo {1,9})?(?:passwd|(?:${programs}))${words}--(?:password-)?stdin)`,
      'g',
    ),
    'a password or a key',
  ],
  [/(?<=--from-literal[= ]["']?[\w.-]{1,64}=["']?)[^\s"']+/g, 'a password or a key'],
  [
    /(?<=configure {1,9}set {1,9}[\w.]{0,40}(?:secret_access_key|session_token) {1,9}["']?)[^\s"']+/g,
    'a password or a key',
  ],
  [/(?<=\bsshpass {1,9}-p {0,9}["']?)[^\s"']+/g, 'a password or a key'],
  [/(?<=\s(?:-u|--user|--proxy-user)[= ]? {0,3}["']?[\w.@-]{1,64}:)[^\s"']+/g, 'a password or a key'],
  [
    /(?<=\bhtpasswd {1,9}-\w{0,6}b\w{0,6} {1,9}\S{1,99} {1,9}["']?[\w.-]{1,64}["']? {1,9}["']?)[^\s"']+/g,
    'a password or a key',
  ],
  [
    /(?<=[\s"'][\w.-]{1,32}:)[^\s"'|:]+(?=["']? {0,9}\| {0,9}(?:sudo {1,9})?chpasswd)/g,
    'a password or a key',
  ],
  [/(?<=\blogin\s{1,9}\S{1,99}\s{1,9}password\s{1,9})\S+/g, 'a password or a key'],
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

/** `$NAME`, `$(COMMAND)`, `{{ NAME }}`, `%NAME%`, `<NAME>`, `\(.NAME)` of jq, the group `([A-Z])` of a regular expression; the hash of a password begins with a dollar too. */
const isReference = (text: string): boolean =>
  /^["']?(?:\$(?!(?:1|2[aby]|5|6|y|gy)\$)|\{|%[\w({]|<|`|\\\(|\(\[)/.test(text) || text.startsWith(hidden);

/** The text without what looks like a secret, a long one cut; certificates and long base64 become words about them. Pure. */
export function redacted(text: string): string {
  const short = withoutSecrets(text);
  return short.length <= longestShown
    ? short
    : `${short.slice(0, longestShown)}… (${short.length} characters)`;
}

/** The same, whole. Pure. */
export function withoutSecrets(text: string): string {
  const without = secrets.reduce(
    (rest, [pattern]) => rest.replaceAll(pattern, (found) => (isReference(found) ? found : hidden)),
    text,
  );
  return without
    .replaceAll(/[A-Za-z0-9+/]{64,}={0,2}/g, aboutBase64)
    .replaceAll(/(?<!\w)\w{32,}(?!\w)/g, (word) => (looksRandom(word) ? hidden : word));
}

/** Not a chosen name: those have one case, or few digits. */
const looksRandom = (word: string): boolean =>
  /[A-Z]/.test(word) && /[a-z]/.test(word) && (word.match(/\d/g)?.length ?? 0) >= 3;

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

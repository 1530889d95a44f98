const redacted = '[redacted]';

/** Names of fields whose value is never logged. */
const secretName =
  /token$|secret|password|passwd|authorization|credential|private.?key|client.?key|kubeconfig|session.?key|cookie/i;

/** A name that announces a secret, as in `token: x`, `KEY=x` and JSON. */
const announced =
  /((?:token|passw(?:or)?d|passphrase|secret|(?:access|api|client|private)[_-]?key)[\w.-]{0,40}(?:\\*["'])?\s*[:=]\s*)/
    .source;
/** A text in quotes, which are escaped as often as the JSON around them was put into a string. */
const quoted = String.raw`(?<slashes>\\*)(?<quote>["'])(?:(?!(?<!\\)\k<slashes>\k<quote>)[\s\S])+`;

/** Patterns of secrets in any text, and their replacements. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  // A PEM text in base64, perhaps in lines.
  [/LS0tLS1CRUdJTi[\w+/=-]*(?:(?:\s|\\[nr])+[\w+/=-]{16,})*/g, redacted],
  // The form is known before `eyJ` is sought in it, so that a text of many `eyJ` is read once.
  [/(?<![\w-])(?=[\w-]+\.[\w-]{8,}\.)([\w-]*?\b)eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, `$1${redacted}`],
  [/\bk8s-aws-v1\.[\w-]+/g, `k8s-aws-v1.${redacted}`],
  [/\b(Bearer|Basic)(?:\s|%20)+[\w.~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/\b([a-z0-9]{6})\.[a-z0-9]{16}\b/g, `$1.${redacted}`],
  [/\b(X-Amz-(?:Signature|Security-Token|Credential)(?:=|:\s*|%3D))[^&\s"'\\]+/gi, `$1${redacted}`],
  [/\b(Signature=)[0-9a-f]{64}\b/gi, `$1${redacted}`],
  // The password of a URL, and of `user:password@host`.
  [/(\/\/[^\s/:@"']{0,64}:)[^\s@"'\\]{1,256}@/g, `$1${redacted}@`],
  [/\b([\w.%+-]{1,64}:)[^\s/:@"'\\]{1,256}@(?=[\w[])/g, `$1${redacted}@`],
  [new RegExp(announced + quoted, 'gi'), `$1$<slashes>$<quote>${redacted}`],
  [new RegExp(`${announced}[^\\s",}]{4,}`, 'gi'), `$1${redacted}`],
  // A key or a token that nothing names. Ids, hashes and paths are shorter.
  [/(?<![\w+/-])(?=[\w+/-]*[A-Z])(?=[\w+/-]*\d)[\w+/-]{160,}={0,2}/g, redacted],
];

const longestText = 4000;
const deepest = 6;

/**
 * A text without what looks like a secret (private keys, tokens of every kind that Drover meets, signatures, named values). A long text is
 * cut first: a pattern that tries up to 256 characters at each place takes as many times as long.
 */
export function redactText(text: string): string {
  const isLong = text.length > longestText;
  const beginning = isLong ? withoutCutWord(text.slice(0, 2 * longestText), text.length) : text;
  const clean = secretTexts.reduce((current, [pattern, left]) => current.replace(pattern, left), beginning);
  return isLong ? `${clean.slice(0, longestText)}... (${text.length} characters)` : clean;
}

/** Without the word that the cut went through: half of a secret fits no pattern. */
function withoutCutWord(beginning: string, length: number): string {
  if (beginning.length === length) return beginning;
  let end = beginning.length;
  while (end > 0 && /[\w.~+/=%-]/.test(beginning.charAt(end - 1))) end -= 1;
  return beginning.slice(0, end);
}

/** The error as its caller may show it: name, message and stack without secrets, and nothing else that was attached to it. */
export function redactError(error: unknown, ownSecrets: readonly (string | undefined)[]): Error {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const cleaned = (text: string): string => redactText(withoutSecrets(text, ownSecrets));
  const clean = new Error(cleaned(message));
  clean.name = name;
  if (stack !== undefined) clean.stack = cleaned(stack);
  return clean;
}

/** A value that is safe to log: secrets removed by field name and by pattern, long texts and deep or circular structures cut. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  // Only the outermost error keeps its stack; causes and aggregated errors are logged without.
  if (value instanceof Error)
    return { ...describeError(value, depth), ...(value.stack && { stack: redactText(value.stack) }) };
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth >= deepest) return '[...]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      secretName.test(name) && typeof item !== 'number' && typeof item !== 'boolean'
        ? redacted
        : redact(item, depth + 1),
    ]),
  );
}

/**
 * An error and its causes, with AWS's request id and status where AWS answered. Other properties, such as requests and responses
 * of an SDK, are left out.
 */
function describeError(error: Error, depth: number): object {
  const inner = (value: unknown): unknown => {
    if (depth >= deepest) return '[...]';
    return value instanceof Error ? describeError(value, depth + 1) : redact(value, depth + 1);
  };
  return {
    name: error.name,
    message: redactText(error.message),
    ...answerFacts(error),
    ...(error.cause !== undefined && { cause: inner(error.cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(inner) }),
  };
}

/** What the SDK knows of the answer that it made the error of. */
function answerFacts(error: Error): object {
  const metadata: unknown = '$metadata' in error ? error.$metadata : undefined;
  if (typeof metadata !== 'object' || metadata === null) return {};
  const { requestId, httpStatusCode, attempts } = metadata as Readonly<Record<string, unknown>>;
  return {
    ...(typeof requestId === 'string' && { requestId: redactText(requestId) }),
    ...(typeof httpStatusCode === 'number' && { httpStatusCode }),
    ...(typeof attempts === 'number' && { attempts }),
  };
}

/** A text in which each of the secrets is replaced, whether plain or encoded. Servers and proxies quote the requests that they refuse. */
export const withoutSecrets = (text: string, secrets: readonly (string | undefined)[]): string =>
  secrets.flatMap(formsOf).reduce((clean, form) => clean.replaceAll(form, redacted), text);

/** A shorter text is not a secret, and replacing it would make the rest unreadable. */
const shortestSecret = 8;

function formsOf(secret: string | undefined): readonly string[] {
  if (secret === undefined || secret.length < shortestSecret) return [];
  const bytes = Buffer.from(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const base64 = bytes.toString('base64').replace(/(?<!=)=+$/, '');
  return [...new Set([secret, escaped, encodeURIComponent(secret), base64, bytes.toString('base64url')])];
}

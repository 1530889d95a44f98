const redacted = '[redacted]';

/** Names of fields whose value is never logged. */
const secretName =
  /token$|secret|password|passwd|authorization|credential|private.?key|client.?key|kubeconfig|session.?key|cookie/i;

/** Patterns of secrets in any text, and their replacements. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, redacted],
  [/\bk8s-aws-v1\.[\w-]+/g, `k8s-aws-v1.${redacted}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/\b([a-z0-9]{6})\.[a-z0-9]{16}\b/g, `$1.${redacted}`],
  [/\b(X-Amz-(?:Signature|Security-Token|Credential))=[^&\s"']+/gi, `$1=${redacted}`],
  [
    /("?\b(?:token|password|secret\w*|secretAccessKey|sessionToken|client-key-data)"?\s*[:=]\s*"?)[^\s",}]{4,}/gi,
    `$1${redacted}`,
  ],
];

const longestText = 4000;
const deepest = 6;

/** A text without what looks like a secret (private keys, tokens of every kind that Drover meets, signatures). */
export function redactText(text: string): string {
  const clean = secretTexts.reduce((current, [pattern, left]) => current.replace(pattern, left), text);
  return clean.length > longestText
    ? `${clean.slice(0, longestText)}... (${clean.length} characters)`
    : clean;
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

const redacted = '[redacted]';

/** A text in which each of the secrets is replaced, as it stands or encoded. Servers and proxies quote the requests that they refuse. */
export const withoutSecrets = (text: string, secrets: readonly (string | undefined)[]): string =>
  secrets.flatMap(formsOf).reduce((clean, form) => clean.replaceAll(form, redacted), text);

/** A shorter text is no secret, and replacing it would make the rest unreadable. */
const shortestSecret = 8;

function formsOf(secret: string | undefined): readonly string[] {
  if (secret === undefined || secret.length < shortestSecret) return [];
  const bytes = Buffer.from(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [...new Set([secret, escaped, encodeURIComponent(secret), base64, bytes.toString('base64url')])];
}

import { inspect } from 'node:util';

/**
 * Runs something that handles a secret. AWS, API servers and proxies sometimes repeat what they were sent, so an error that
 * shows the secret anywhere, plain or in base64, is replaced by one that keeps only its name, cleaned message and cause.
 */
export async function withoutSecret<Result>(secret: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw redacted(error, [secret, Buffer.from(secret).toString('base64')]);
  }
}

function redacted(error: unknown, secrets: readonly string[]): unknown {
  const shown = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
  if (!secrets.some((secret) => shown.includes(secret))) return error;
  if (!(error instanceof Error)) return new Error('an error was left out because it showed a secret');
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), error.message);
  const clean = new Error(
    message,
    error.cause === undefined ? {} : { cause: redacted(error.cause, secrets) },
  );
  clean.name = error.name;
  return clean;
}
